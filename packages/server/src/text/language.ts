/** Languages of everything the server itself writes for people: mails and public pages. English is the default. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const isLanguage = (tag: string): tag is Language => (languages as readonly string[]).includes(tag)
const primaryOf = (tag: string): string => tag.toLowerCase().split('-')[0]!

/** From a BCP 47 tag such as an account's locale; English if there is none or it is another language. */
export function languageOf(tag: string | null): Language {
  const primary = primaryOf(tag ?? '')
  return isLanguage(primary) ? primary : 'en'
}

const maxTags = 20

/** From an Accept-Language header (RFC 9110, 12.5.4): the known language with the highest weight, the first of equals. */
export function acceptedLanguage(header: string | undefined): Language {
  const accepted = (header ?? '').split(',', maxTags).map((each) => {
    const [tag = '', ...parameters] = each.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { language: primaryOf(tag), weight: weight === undefined ? 1 : Number(weight) }
  })
  return (
    accepted
      .filter(({ weight }) => weight > 0)
      .sort((one, other) => other.weight - one.weight)
      .map(({ language }) => language)
      .find(isLanguage) ?? 'en'
  )
}

/** Texts by language and code, with `{{name}}` for a value. */
export type TranslatedTexts<Code extends string> = Readonly<Record<Language, Readonly<Record<Code, string>>>>

/** Returns a function that fills in a text of this language. Values are inserted as they are: escape them for HTML. */
export const textsIn =
  <Code extends string>(texts: TranslatedTexts<Code>, language: Language) =>
  (code: Code, values: Readonly<Record<string, string | number>> = {}): string =>
    texts[language][code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
