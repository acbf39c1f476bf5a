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
  /** IANA name; undefined: the browser’s. */
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
  // Stable per language and zone, for memoized rows.
  const value = useMemo(() => {
    // Keeps the old language visible until the catalogue has loaded.
    const change = (next: Locale) => startTransition(() => setLocale(next))
    // Spreading would create the lazy formatters.
    return Object.assign(formatsOf(locale, timezone), { locale, setLocale: change, setTimezone })
  }, [locale, timezone])
  return <Context value={value}>{children}</Context>
}

export function useI18n(): I18n {
  const value = use(Context)
  if (!value) throw new Error('Outside of I18nProvider')
  return value
}

/** Translator of a feature’s catalogue. Suspends once per language other than English. */
export function useMessages<English extends Catalogue>(messages: Messages<English>): Translate<English> {
  const { locale } = useI18n()
  const catalogue = locale === defaultLocale ? messages.english : use(messages.load(locale))
  return useMemo(() => translator(locale, messages.english, catalogue), [locale, messages, catalogue])
}
