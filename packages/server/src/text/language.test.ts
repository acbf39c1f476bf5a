import { expect, test } from 'vitest'
import { acceptedLanguage, languageOf, textsIn } from './language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,en;q=0.8', 'de'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['fr, de;q=0.3, en;q=0.3', 'de'],
  ['de;q=0, en', 'en'],
  ['*', 'en'],
  ['de;q=x', 'en'],
  ['fr-FR,fr', 'en'],
  [',;q=,'.repeat(1_000), 'en']
])('Accept-Language %s is answered in %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})

test.each([
  [null, 'en'],
  ['de', 'de'],
  ['de-CH', 'de'],
  ['DE', 'de'],
  ['den', 'en'],
  ['pt-BR', 'en']
])('an account with the locale %s gets mails in %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language)
})

test('values are inserted once, whatever they contain', () => {
  const text = textsIn({ en: { HELLO: 'Hello {{name}}' }, de: { HELLO: 'Hallo {{name}}' } }, 'de')
  expect(text('HELLO', { name: '$& {{name}}' })).toBe('Hallo $& {{name}}')
})
