/** List values are arrays, so that each language joins them with its own words. */
export type SentenceValue = string | number | string[]
export type SentenceValues = Readonly<Record<string, SentenceValue>>

/** Values that are messages from elsewhere, usually in English: shown unchanged, and marked as quotes. */
export const quotedValues: readonly string[] = ['answer', 'problem', 'reason']

/** A message as a code and values, so that it can be shown in any language. */
export interface Sentence<Code extends string = string> {
  code: Code
  values?: SentenceValues | undefined
}

/** English texts by code, with `{{name}}` for a value. */
export type SentenceTexts<Code extends string> = Readonly<Record<Code, string>>

/** How a language joins a list, and its words for the entries that are not shown. */
export interface ListWords {
  list: Intl.ListFormat
  more(count: number): string
}

// Marked as pure, so that the dashboard, which only has texts of its own, leaves it out: creating it takes a phone 50 ms.
const englishLists: ListWords = {
  list: /* @__PURE__ */ new Intl.ListFormat('en-GB'),
  more: (count) => `${count} more`
}

export const sentenceText = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence<NoInfer<Code>>[],
  words: ListWords = englishLists
): string =>
  joined(
    sentences.map(({ code, values = {} }) =>
      texts[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name] ?? '', words))
    )
  )

const shown = (value: SentenceValue, { list, more }: ListWords): string =>
  Array.isArray(value) ? list.format(cutList(value, more)) : String(value)

/** Limits the length, because the entries come from third parties. */
export const cutList = (list: readonly string[], moreText: (count: number) => string): readonly string[] =>
  list.length > 8 ? [...list.slice(0, 8), moreText(list.length - 8)] : list

/** Codes of another version become an empty list; the stored text says the same. */
export const knownSentences = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence[]
): Sentence<Code>[] =>
  sentences.every(({ code }) => Object.hasOwn(texts, code)) ? ([...sentences] as Sentence<Code>[]) : []

/** For texts stored without a code. Matches texts with up to one value. */
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

/** Joins texts. Adds a full stop to a text without one if another follows, except after a colon. */
export const joined = (texts: readonly string[]): string =>
  texts.reduce((before, text) => (before === '' ? text : before + between(before) + text), '')

export const between = (before: string): string => (/[.!?:]“?$/.test(before) ? ' ' : '. ')
