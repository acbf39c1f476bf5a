import type { Sentence } from '@panel/contract/sentences'
import { type ReactNode, use } from 'react'
import { useI18n, useMessages } from '../i18n/i18n.tsx'
import { type Catalogue, defaultLocale, type Messages } from '../i18n/messages.ts'
import { Foreign } from './foreign.tsx'
import { partsText, type SentencePart, sentenceParts } from './sentence-parts.ts'
import { SettingsLink } from './settings-link.tsx'
import { uiMessages } from './ui.messages.ts'

export type SentencePath = Readonly<Record<string, Messages<Catalogue>>>

function useParts(tables: SentencePath): (sentences: readonly Sentence[]) => SentencePart[] | undefined {
  const { locale } = useI18n()
  const ui = useMessages(uiMessages)
  if (locale === defaultLocale) return () => undefined
  const catalogues = Object.entries(tables).map(([word, messages]) => [word, use(messages.load(locale))] as const)
  const language = { locale, catalogues, more: (count: number) => ui('more', { count }) }
  return (sentences) => sentenceParts(language, sentences)
}

/** Translates the server’s messages; undefined if the English text must be shown. */
export function useSentenceText(tables: SentencePath): (sentences: readonly Sentence[]) => string | undefined {
  const partsOf = useParts(tables)
  return (sentences) => {
    const parts = partsOf(sentences)
    return parts && partsText(parts)
  }
}

interface SentenceTextProps {
  by: SentencePath
  sentences: readonly Sentence[]
  children: string
}

/**
 * A server message in the language of the page, with a link to the settings page that it names. Untranslated text is
 * marked as English.
 */
export function SentenceText({ by, sentences, children }: SentenceTextProps): ReactNode {
  const parts = useParts(by)(sentences)
  return (
    <>
      {parts ? (
        parts.map(({ text, isQuoted }, at) =>
          isQuoted ? (
            <Foreign key={at} lang="en">
              {text}
            </Foreign>
          ) : (
            text
          )
        )
      ) : (
        <Foreign lang="en">{children}</Foreign>
      )}
      <SettingsLink words={Object.keys(by)} sentences={sentences} />
    </>
  )
}
