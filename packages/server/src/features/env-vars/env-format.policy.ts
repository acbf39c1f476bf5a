/**
 * The .env format as Compose, python-dotenv and shells read it: `#` starts a comment only after whitespace, single
 * quotes are literal except for `\'`, double quotes know `\n`, `\r`, `\"`, `\\`, `\$` and `` \` ``, and quoted values
 * may span lines. `$NAME` is not expanded.
 */

export interface EnvEntry {
  key: string
  value: string
  line: number
}

export interface ParsedEnvFile {
  entries: EnvEntry[]
  skipped: { line: number; code: 'NO_VARIABLE' | 'OPEN_QUOTE' }[]
}

const maxSkipped = 1_000

// Neither part may cross a line end. `KEY: value` is accepted because people paste from YAML.
const assignment = /[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)(?:[^\S\n]*=|:(?!\S))/y
const ignored = /^\s*(?:#|$)/

/** Linear time: a quoted value that is not closed on its line ends at the next occurrence of the same quote. */
export function parseEnvFile(content: string): ParsedEnvFile {
  const text = content.replace(/\r\n?/g, '\n')
  const entries = new Map<string, EnvEntry>()
  const skipped: ParsedEnvFile['skipped'] = []
  for (let at = 0, line = 1; at < text.length; line++) {
    assignment.lastIndex = at
    const key = assignment.exec(text)?.[1]
    const end = lineEnd(text, at)
    if (key === undefined) {
      if (!ignored.test(text.slice(at, end))) skipped.push({ line, code: 'NO_VARIABLE' })
      at = end + 1
      continue
    }
    const start = assignment.lastIndex
    const quoted = readQuoted(text, start)
    const value = quoted ? quoted.value : readUnquoted(text.slice(start, end))
    if (value === undefined) skipped.push({ line, code: 'OPEN_QUOTE' })
    else entries.set(key, { key, value, line })
    at = (quoted?.end ?? end) + 1
    line += quoted?.lines ?? 0
  }
  return { entries: [...entries.values()], skipped: skipped.slice(0, maxSkipped) }
}

export function renderEnvFile(variables: readonly { key: string; value: string }[]): string {
  return variables.map(({ key, value }) => `${key}=${quote(value)}\n`).join('')
}

function quote(value: string): string {
  if (/^[\w%+,./:=@-]*$/.test(value)) return value
  // Not every reader supports a single quote inside single quotes, and a carriage return would be read as a line end.
  if (!/['\r]|\\$/.test(value)) return `'${value}'`
  return `"${value.replace(/[\\"$`]/g, '\\$&').replaceAll('\r', '\\r')}"`
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function readQuoted(text: string, start: number): { value: string; end: number; lines: number } | undefined {
  const open = start + text.slice(start, lineEnd(text, start)).search(/\S/)
  const mark = text[open]
  if (open < start || (mark !== '"' && mark !== "'" && mark !== '`')) return undefined
  const close = closingQuote(text, mark, open + 1)
  if (close === -1) return undefined
  const end = lineEnd(text, close)
  const inside = text.slice(open + 1, close)
  if (!ignored.test(text.slice(close + 1, end))) return undefined
  return { value: unescape[mark](inside), end, lines: inside.split('\n').length - 1 }
}

const unescape = {
  '"': (text: string) => text.replace(/\\([nr"\\$`])/g, (_, code: string) => ({ n: '\n', r: '\r' })[code] ?? code),
  "'": (text: string) => text.replaceAll("\\'", "'"),
  '`': (text: string) => text
}

function closingQuote(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    let before = at
    while (before > from && text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at
  }
  return -1
}

/** The rest of a line as a value; undefined if it opens a quote without closing it. */
function readUnquoted(rest: string): string | undefined {
  const comment = rest.search(/\s#/)
  const value = (comment === -1 ? rest : rest.slice(0, comment)).trim()
  const mark = value[0]
  if (mark !== '"' && mark !== "'" && mark !== '`') return value
  if (!value.includes(mark, 1)) return undefined
  // Quotes inside quotes, like "say "hi"".
  return value.endsWith(mark) ? value.slice(1, -1) : value
}
