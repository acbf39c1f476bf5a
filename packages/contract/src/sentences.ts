/** What a sentence tells, by the names in it. */
export type SentenceValues = Readonly<Record<string, string | number>>

/** A sentence for people by its code, with what it tells, so that it can be said in any language. */
export interface Sentence<Code extends string = string> {
  code: Code
  values?: SentenceValues | undefined
}

/** English by code, `{{name}}` for a value. */
export type SentenceTexts<Code extends string> = Readonly<Record<Code, string>>

/** In English. */
export const said = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence<NoInfer<Code>>[]
): string =>
  joined(
    sentences.map(({ code, values = {} }) =>
      texts[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
    )
  )

/** Those of a store on which another version of the panel has run, which may know of others: none then, as its text says the same. */
export const knownSentences = <Code extends string>(
  texts: SentenceTexts<Code>,
  sentences: readonly Sentence[]
): Sentence<Code>[] =>
  sentences.every(({ code }) => Object.hasOwn(texts, code)) ? ([...sentences] as Sentence<Code>[]) : []

/** One after the other: what has no full stop of its own gets one where another follows. */
export const joined = (texts: readonly string[]): string =>
  texts.reduce((before, text) => (before === '' ? text : `${before}${/[.!?]$/.test(before) ? '' : '.'} ${text}`), '')
