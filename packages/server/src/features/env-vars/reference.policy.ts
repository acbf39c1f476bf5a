/**
 * References in values: `${{KEY}}` is another variable, `${{name.field}}` a variable of a group or a value of a
 * database. `$${{` is the text `${{`.
 */

// A marker without a complete reference matches too, so that a typing mistake is found instead of used as text.
const marker = /\$\$\{\{|\$\{\{(?:[ \t]*([A-Za-z_]\w*|\w[\w-]*\.[A-Za-z_]\w*)[ \t]*\}\})?/g
const escaped = '$${{'
const shownLength = 40

export type Parsed = { references: string[] } | { invalid: string }

/** The references of a value, each once and without its braces, or the beginning of what only looks like one. */
export function parseReferences(value: string): Parsed {
  const references = new Set<string>()
  for (const { 0: text, 1: name, index } of value.matchAll(marker)) {
    if (text === escaped) continue
    if (name === undefined) return { invalid: value.slice(index, index + shownLength).split('\n', 1)[0]! }
    references.add(name)
  }
  return { references: [...references] }
}

/** Replaces references and escapes. Undefined if the result would be longer than `maxLength`. */
export function fillIn(value: string, valueOf: (reference: string) => string, maxLength: number): string | undefined {
  const parts: string[] = []
  let length = 0
  let end = 0
  const add = (text: string) => {
    parts.push(text)
    length += text.length
  }
  for (const { 0: text, 1: name, index } of value.matchAll(marker)) {
    add(value.slice(end, index))
    add(text === escaped ? '${{' : name === undefined ? text : valueOf(name))
    end = index + text.length
    if (length > maxLength) return undefined
  }
  add(value.slice(end))
  return length > maxLength ? undefined : parts.join('')
}

/** A text that is read as a value of exactly these characters. */
export const escapeReferences = (text: string): string => text.replaceAll('${{', () => escaped)

export const asReference = (name: string): string => `\${{${name}}}`
