import { between, cutList, quotedValues, type Sentence, type SentenceValue } from '@panel/contract/sentences'
import { type ReactNode, use } from 'react'
import { useI18n, useMessages } from '../i18n/i18n.tsx'
import { type Catalogue, defaultLocale, type Messages, valueText } from '../i18n/messages.ts'
import { Foreign } from './foreign.tsx'
import { uiMessages } from './ui.messages.ts'

/**
 * Where what the server says by codes stands in other languages than English, which it says itself: catalogues, by the word that stands
 * before the codes in each.
 */
export type SaidIn = Readonly<Record<string, Messages<Catalogue>>>

/** A part of what is said: a text of ours with what it tells, or the words of others among it. */
interface Part {
  text: string
  isQuoted: boolean
}

/** Undefined in English, where there are no sentences, and where one is not known here. */
function useParts(tables: SaidIn): (sentences: readonly Sentence[]) => Part[] | undefined {
  const { locale } = useI18n()
  const ui = useMessages(uiMessages)
  if (locale === defaultLocale) return () => undefined
  const catalogues = Object.entries(tables).map(([word, messages]) => [word, use(messages.load(locale))] as const)
  const textOf = (code: string) =>
    catalogues.map(([word, catalogue]) => catalogue[`${word}.${code}`]).find((text) => text !== undefined)
  const valueOf = (value: SentenceValue) =>
    valueText(locale, Array.isArray(value) ? cutList(value, (count) => ui('more', { count })) : value)
  return (sentences) => {
    const texts = sentences.map(({ code }) => textOf(code))
    if (texts.length === 0 || texts.includes(undefined)) return undefined
    const parts: Part[] = []
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
}

/** Says sentences of the server's; undefined where these are to be shown in its own words. */
export function useSaid(tables: SaidIn): (sentences: readonly Sentence[]) => string | undefined {
  const partsOf = useParts(tables)
  return (sentences) =>
    partsOf(sentences)
      ?.map(({ text }) => text)
      .join('')
}

interface SaidProps {
  by: SaidIn
  sentences: readonly Sentence[]
  /** The same in the server's own words. */
  children: string
}

/** What the server says, in the language of the page; what is there in English only is marked so. */
export function Said({ by, sentences, children }: SaidProps): ReactNode {
  const parts = useParts(by)(sentences)
  if (!parts) return <Foreign lang="en">{children}</Foreign>
  return parts.map(({ text, isQuoted }, at) =>
    isQuoted ? (
      <Foreign key={at} lang="en">
        {text}
      </Foreign>
    ) : (
      text
    )
  )
}
