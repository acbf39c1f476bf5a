import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react'
import { formatsOf, type Formats } from './formats.ts'
import {
  type Catalogue,
  defaultLocale,
  directionOf,
  type Locale,
  type Messages,
  rememberLocale,
  translator,
  type Translate
} from './messages.ts'

interface I18n extends Formats {
  locale: Locale
  setLocale(locale: Locale): void
  /** Of IANA, for times; undefined: the browser's. */
  setTimezone(timezone: string | undefined): void
}

const Context = createContext<I18n | undefined>(undefined)

export function I18nProvider({ children, initial }: { children: ReactNode; initial: Locale }) {
  const [locale, setLocale] = useState(initial)
  const [timezone, setTimezone] = useState<string>()
  useEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = directionOf(locale)
    rememberLocale(locale)
  }, [locale])
  // One value for a language and a zone: rows that are memoized depend on it.
  const value = useMemo(() => {
    // What is shown stays until the sentences of the other language are there.
    const change = (next: Locale) => startTransition(() => setLocale(next))
    // Not spread: what is made when it is used would be made here.
    return Object.assign(formatsOf(locale, timezone), { locale, setLocale: change, setTimezone })
  }, [locale, timezone])
  return <Context value={value}>{children}</Context>
}

/** The language, and how it writes times, numbers and sizes. */
export function useI18n(): I18n {
  const value = use(Context)
  if (!value) throw new Error('Outside of I18nProvider')
  return value
}

/** The sentences of a feature, in the language of the page. Suspends once for each language but English. */
export function useMessages<English extends Catalogue>(messages: Messages<English>): Translate<English> {
  const { locale } = useI18n()
  const catalogue = locale === defaultLocale ? messages.english : use(messages.load(locale))
  return useMemo(() => translator(locale, messages.english, catalogue), [locale, messages, catalogue])
}
