import type { Sentence } from '@panel/contract/sentences'
import { type ReactNode, use } from 'react'
import { useI18n, useMessages } from '../i18n/i18n.tsx'
import { type Catalogue, defaultLocale, type Messages } from '../i18n/messages.ts'
import { Foreign } from './foreign.tsx'
import { partsText, type SaidPart, saidParts } from './said-parts.ts'
import { uiMessages } from './ui.messages.ts'

/**
 * Where what the server says by codes stands in other languages than English, which it says itself: catalogues, by the word that stands
 * before the codes in each.
 */
export type SaidIn = Readonly<Record<string, Messages<Catalogue>>>

/** Undefined in English, where there are no sentences, and where one is not known here. */
function useParts(tables: SaidIn): (sentences: readonly Sentence[]) => SaidPart[] | undefined {
  const { locale } = useI18n()
  const ui = useMessages(uiMessages)
  if (locale === defaultLocale) return () => undefined
  const catalogues = Object.entries(tables).map(([word, messages]) => [word, use(messages.load(locale))] as const)
  const language = { locale, catalogues, more: (count: number) => ui('more', { count }) }
  return (sentences) => saidParts(language, sentences)
}

/** Says sentences of the server's; undefined where these are to be shown in its own words. */
export function useSaid(tables: SaidIn): (sentences: readonly Sentence[]) => string | undefined {
  const partsOf = useParts(tables)
  return (sentences) => {
    const parts = partsOf(sentences)
    return parts && partsText(parts)
  }
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
