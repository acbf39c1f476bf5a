import { plainText } from '../ui/plain-text.ts'
import { stored } from '../ui/stored.ts'
import { lazily } from './lazily.ts'

/** Flat JSON in i18next v4 format (`{{name}}`, `_one`/`_other`), for translation tools. */
export type Catalogue = Readonly<Record<string, string>>

export const locales = { en: 'English', de: 'Deutsch' } as const
export type Locale = keyof typeof locales
export const defaultLocale = 'en' satisfies Locale
type Translated = Exclude<Locale, typeof defaultLocale>

const storageKey = 'locale'

export interface Messages<English extends Catalogue> {
  english: English
  /** Returns the same promise each time; falls back to English. */
  load(locale: Translated): Promise<Catalogue>
}

export function defineMessages<const English extends Catalogue>(
  english: English,
  others: Readonly<Record<Translated, () => Promise<{ default: Catalogue }>>>
): Messages<English> {
  const loaded = new Map<Translated, Promise<Catalogue>>()
  return {
    english,
    load(locale) {
      const known = loaded.get(locale)
      if (known) return known
      const loading = others[locale]().then(
        (module) => module.default,
        () => english
      )
      loaded.set(locale, loading)
      return loading
    }
  }
}

/** A catalogue of the contract's texts, whose keys start with `word`. */
export const byWord = <const Word extends string, Code extends string>(
  word: Word,
  texts: Readonly<Record<Code, string>>
) =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [`${word}.${code}`, text])) as Readonly<
    Record<`${Word}.${Code}`, string>
  >

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
export type MessageKey<English> = {
  [Key in keyof English & string]: Key extends `${infer Base}_${PluralForm}` ? Base : Key
}[keyof English & string]
export type Translate<English> = (
  key: MessageKey<English>,
  values?: Readonly<Record<string, string | number>>
) => string

const intlOf = (locale: Locale) => ({
  plural: lazily(() => new Intl.PluralRules(locale)),
  number: lazily(() => new Intl.NumberFormat(locale)),
  list: lazily(() => new Intl.ListFormat(locale))
})
/** Cached per language: each takes a millisecond, and a page has hundreds of translators. */
const intl: Readonly<Record<Locale, ReturnType<typeof intlOf>>> = { en: intlOf('en'), de: intlOf('de') }

export function translator<English extends Catalogue>(
  locale: Locale,
  english: English,
  catalogue: Catalogue
): Translate<English> {
  const { plural } = intl[locale]
  return (key, values = {}) => {
    const forms =
      typeof values.count === 'number' ? [`${key}_${plural().select(values.count)}`, `${key}_other`, key] : [key]
    const found = forms.map((form) => catalogue[form]).find((text) => text !== undefined)
    const text = found ?? forms.map((form) => english[form]).find((each) => each !== undefined) ?? key
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => valueText(locale, values[name] ?? ''))
  }
}

export function valueText(locale: Locale, value: string | number | readonly string[]): string {
  if (typeof value === 'number') return intl[locale].number().format(value)
  return plainText(typeof value === 'string' ? value : intl[locale].list().format(value))
}

export const isLocale = (text: string | null): text is Locale => text !== null && text in locales

export function startingLocale(): Locale {
  const candidates = [stored.read(storageKey), ...navigator.languages.map((tag) => tag.slice(0, 2))]
  return candidates.find(isLocale) ?? defaultLocale
}

export const rememberLocale = (locale: Locale): void => stored.write(storageKey, locale)

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur'])
export const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(locale) ? 'rtl' : 'ltr')
