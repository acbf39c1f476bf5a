import { between, cutList, quotedValues, type Sentence, type SentenceValue } from '@panel/contract/sentences'
import { type Catalogue, type Locale, valueText } from '../i18n/messages.ts'

/** A part of what is said: a text of ours with what it tells, or the words of others among it. */
export interface SentencePart {
  text: string
  isQuoted: boolean
}

interface Language {
  locale: Locale
  /** Each with the word that stands before the codes in it. */
  catalogues: readonly (readonly [word: string, catalogue: Catalogue])[]
  /** What stands for the end of a list. */
  more(count: number): string
}

/** Sentences of the server's in another language than English; undefined where there are none, and where one is not known here. */
export function sentenceParts(
  { locale, catalogues, more }: Language,
  sentences: readonly Sentence[]
): SentencePart[] | undefined {
  const textOf = (code: string) =>
    catalogues.map(([word, catalogue]) => catalogue[`${word}.${code}`]).find((text) => text !== undefined)
  const valueOf = (value: SentenceValue) => valueText(locale, Array.isArray(value) ? cutList(value, more) : value)
  const texts = sentences.map(({ code }) => textOf(code))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  const parts: SentencePart[] = []
  let before = ''
  const add = (text: string, isQuoted = false) => {
    if (text !== '') parts.push({ text, isQuoted })
    before += text
  }
  for (const [at, { values = {} }] of sentences.entries()) {
    if (before !== '') add(between(before))
    // Names of values stand at odd places.
    for (const [place, text] of texts[at]!.split(/\{\{(\w+)\}\}/).entries())
      if (place % 2 === 0) add(text)
      else add(valueOf(values[text] ?? ''), quotedValues.includes(text))
  }
  return parts
}

export const partsText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')
