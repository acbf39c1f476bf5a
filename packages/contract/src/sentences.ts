/** A text of a list is one of its parts, so that each language puts its own words between them. */
export type SentenceValue = string | number | string[]
/** What a sentence tells, by the names in it. */
export type SentenceValues = Readonly<Record<string, SentenceValue>>

/** Names of values that are sentences of others, in English as a rule: they are shown as they came, and marked so. */
export const quotedValues: readonly string[] = ['answer', 'problem', 'reason']

/** A sentence for people by its code, with what it tells, so that it can be said in any language. */
export interface Sentence<Code extends string = string> {
  code: Code
  values?: SentenceValues | undefined
}

/** English by code, `{{name}}` for a value. */
export type SentenceTexts<Code extends string> = Readonly<Record<Code, string>>

/** The English text of one or more coded messages. */
export const sentenceText = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence<NoInfer<Code>>[]
): string =>
  joined(
    sentences.map(({ code, values = {} }) =>
      texts[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name] ?? ''))
    )
  )

const enumeration = new Intl.ListFormat('en-GB')
const shown = (value: SentenceValue): string =>
  Array.isArray(value) ? enumeration.format(cutList(value, (more) => `${more} more`)) : String(value)

/** The parts of a list that are shown: strangers may name many. */
export const cutList = (list: readonly string[], moreText: (count: number) => string): readonly string[] =>
  list.length > 8 ? [...list.slice(0, 8), moreText(list.length - 8)] : list

/** Those of a store on which another version of the panel has run, which may know of others: none then, as its text says the same. */
export const knownSentences = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence[]
): Sentence<Code>[] =>
  sentences.every(({ code }) => Object.hasOwn(texts, code)) ? ([...sentences] as Sentence<Code>[]) : []

/**
 * The code of a text that was stored without one, matched by its words up to one value.
 * Undefined when no text of the table matches.
 */
export function recognized<Code extends string>(texts: SentenceTexts<Code>, text: string): Sentence<Code> | undefined {
  for (const [code, says] of Object.entries(texts) as [Code, string][]) {
    const [before = '', name, after = '', ...others] = says.split(/\{\{(\w+)\}\}/)
    if (text === says) return { code }
    if (name === undefined || before === '' || others.length > 0) continue
    if (text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length)
      return { code, values: { [name]: text.slice(before.length, text.length - after.length) } }
  }
  return undefined
}

/** One after the other: what has no full stop of its own gets one where another follows, unless that is what it announces. */
export const joined = (texts: readonly string[]): string =>
  texts.reduce((before, text) => (before === '' ? text : before + between(before) + text), '')

/** What stands between a sentence and the next one. */
export const between = (before: string): string => (/[.!?:]“?$/.test(before) ? ' ' : '. ')
