import { between, cutList, quotedValues, type Sentence, type SentenceValue } from '@panel/contract/sentences'
import { type Catalogue, type Locale, valueText } from '../i18n/messages.ts'

export interface SentencePart {
  text: string
  isQuoted: boolean
}

interface Language {
  locale: Locale
  catalogues: readonly (readonly [word: string, catalogue: Catalogue])[]
  more(count: number): string
}

/** Translates the server’s message codes. Undefined if there are none, or one is unknown. */
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
    // Splitting by a group puts value names at odd indexes.
    for (const [place, text] of texts[at]!.split(/\{\{(\w+)\}\}/).entries())
      if (place % 2 === 0) add(text)
      else add(valueOf(values[text] ?? ''), quotedValues.includes(text))
  }
  return parts
}

export const partsText = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('')
