import { ApiError } from '@panel/client'
import { type Locale, defaultLocale, locales, translator } from '../i18n/messages.ts'
import { partsText, sentenceParts } from '../ui/sentence-parts.ts'
import { failureMessages } from '../ui/shared-texts/failure.messages.ts'
import { remedyMessages } from '../ui/shared-texts/remedy.messages.ts'
import { uiMessages } from '../ui/ui.messages.ts'
import { NotProvedError, UnreachableError } from './errors.ts'

type Translated = Exclude<Locale, typeof defaultLocale>

const sentences: Readonly<Record<Translated, () => Promise<typeof import('./error-sentences.de.ts')>>> = {
  de: () => import('./error-sentences.de.ts')
}

export async function inLanguage(error: unknown): Promise<unknown> {
  const { lang } = document.documentElement
  if (!(error instanceof Error) || !isTranslated(lang)) return error
  const known = await sentences[lang]().catch(() => undefined)
  const sentence = known && sentenceOf(known.german, error, await reasonOf(error, lang))
  if (sentence !== undefined) error.message = [sentence, ...(await outageOf(error, lang))].join(' ')
  return error
}

const isTranslated = (lang: string): lang is Translated => Object.hasOwn(locales, lang) && lang !== defaultLocale

async function reasonOf(error: Error, locale: Translated): Promise<string> {
  if (!(error instanceof ApiError) || error.sentences.length === 0) return error.message
  const ui = translator(locale, uiMessages.english, await uiMessages.load(locale))
  const catalogues = [['reason', await failureMessages.load(locale)]] as const
  const parts = sentenceParts({ locale, catalogues, more: (count) => ui('more', { count }) }, error.sentences)
  return parts ? partsText(parts) : error.message
}

/** Cause and remedy, sent to administrators only. */
async function outageOf(error: Error, locale: Translated): Promise<string[]> {
  if (!(error instanceof ApiError) || error.outage === undefined) return []
  const { cause, remedy, sentences: codes } = error.outage
  const texts = await remedyMessages.load(locale)
  const remedies = codes.map(({ code }) => texts[`remedy.${code}`] ?? remedy)
  return [cause, ...remedies].flatMap((text) => (text === undefined ? [] : `${text.replace(/[.;]$/, '')}.`))
}

type Sentences = (typeof import('./error-sentences.de.ts'))['german']

function sentenceOf(all: Sentences, error: Error, reason: string): string | undefined {
  if (error instanceof UnreachableError) return all.unreachable
  if (error instanceof NotProvedError) return all.notProved
  if (!(error instanceof ApiError) || error.code === undefined) return undefined
  // A newer server may have unknown codes.
  const message = (all as Partial<Sentences>)[error.code]?.replace('{{sentence}}', () => reason)
  if (message === undefined || error.retryAfterSeconds === undefined) return message
  return `${message} ${all.later.replace('{{seconds}}', String(error.retryAfterSeconds))}`
}
