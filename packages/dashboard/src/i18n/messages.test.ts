import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatsOf } from './formats.ts'
import { sentenceTables } from '../sentence-tables.fixture.ts'
import { locales, translator } from './messages.ts'
import { sharedWords } from './shared-words.fixture.ts'

const english = { hello: 'Hello {{name}}', files_one: '{{count}} file', files_other: '{{count}} files', plain: 'Plain' }
const german = { hello: 'Hallo {{name}}', files_one: '{{count}} Datei', files_other: '{{count}} Dateien' }

test('values, plurals and numbers follow the language', () => {
  const t = translator('de', english, german)
  expect(t('hello', { name: 'Ada' })).toBe('Hallo Ada')
  expect(t('files', { count: 1 })).toBe('1 Datei')
  expect(t('files', { count: 12_345 })).toBe('12.345 Dateien')
})

test('untranslated texts are English', () => {
  expect(translator('de', english, german)('plain')).toBe('Plain')
})

test('times and sizes', () => {
  const { relative, bytes } = formatsOf('en')
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(relative('2026-01-31T11:55:00Z', now)).toBe('5 min. ago')
  expect(relative('2026-02-03T12:00:00Z', now)).toBe('in 3 days')
  expect([0, 1023, 1536, 1024 ** 2 * 250, 1024 ** 4 * 3].map(bytes)).toEqual([
    '0 bytes',
    '1,023 bytes',
    '1.5 kB',
    '250 MB',
    '3 TB'
  ])
})

test('durations', () => {
  const of = (locale: string) => [0, 0.42, 9.96, 59.4, 59.6, 125, 3_780].map(formatsOf(locale).duration)
  expect(of('en')).toEqual(['0s', '0.4s', '10s', '59s', '1m 0s', '2m 5s', '1h 3m'])
  expect(of('de')).toEqual(['0 Sek.', '0,4 Sek.', '10 Sek.', '59 Sek.', '1 Min. 0 Sek.', '2 Min. 5 Sek.', '1h 3 Min.'])
})

test.each([
  ['Asia/Kolkata', '2026-01-31T12:30', '2026-01-31T07:00:00.000Z'],
  ['America/New_York', '2026-07-04T09:00', '2026-07-04T13:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['UTC', '2026-01-01T00:00', '2026-01-01T00:00:00.000Z']
])('in %s the field value %s is %s', (timeZone, text, time) => {
  const formats = formatsOf('de', timeZone)
  expect(formats.timeZone).toBe(timeZone)
  expect(formats.fromFieldTime(text)).toBe(time)
  expect(formats.fieldTime(time)).toBe(text)
})

const root = join(import.meta.dirname, '..')
const files = (await readdir(root, { recursive: true })).filter((path) => /\.[a-z]{2}\.json$/.test(path))
const readTexts = async (path: string) =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as Readonly<Record<string, string>>
const readKeys = async (path: string) => Object.keys(await readTexts(path))
const formless = (keys: readonly string[]) =>
  [...new Set(keys.map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '')))].sort()

const isInMessages = (path: string) => (key: string) =>
  sentenceTables.some(
    ({ german, word }) => typeof german === 'string' && path.startsWith(`${german}.`) && key.startsWith(`${word}.`)
  )

test.each(files.filter((path) => path.endsWith('.en.json')))('%s is complete in every language', async (path) => {
  const wanted = formless(await readKeys(path))
  for (const locale of Object.keys(locales)) {
    const keys = await readKeys(path.replace('.en.json', `.${locale}.json`))
    expect(formless(keys.filter((key) => !isInMessages(path)(key)))).toEqual(wanted)
  }
})

/** Without what is filled in, numbers, units and punctuation. */
const wordsOf = (text: string) => text.replaceAll(/\{\{\w+\}\}|\b(?:ms|s)\b|[^\p{L}\p{N}. ]/gu, '').trim()
const englishWords = /\b(?:the|and|your|with|this|from|is|are|of)\b/i

test.each(files.filter((path) => path.endsWith('.de.json')))('%s is German', async (path) => {
  const english = files.includes(path.replace('.de.json', '.en.json'))
    ? await readTexts(path.replace('.de.json', '.en.json'))
    : {}
  const untranslated = Object.entries(await readTexts(path)).filter(
    ([key, text]) => text === english[key] && !['', ...sharedWords].includes(wordsOf(text))
  )
  const mixed = Object.entries(await readTexts(path)).filter(([, text]) => englishWords.test(wordsOf(text)))
  expect([...untranslated, ...mixed]).toEqual([])
})

const countless = (keys: Readonly<Record<string, string>>) =>
  Object.entries(keys).filter(([key, text]) => {
    const [, base] = /^(.*)_(?:one|other)$/.exec(key) ?? []
    if (base !== undefined) return !(`${base}_one` in keys && `${base}_other` in keys)
    return text.includes('{{count}}')
  })

// Texts of the server have codes of their own for one thing, or a wording that needs no plural.
test.each(files)('%s has both forms of each count', async (path) => {
  const texts = await readTexts(path)
  const own = Object.fromEntries(Object.entries(texts).filter(([key]) => !isInMessages(path)(key)))
  expect(countless(own).map(([key]) => key)).toEqual([])
})

test('a count without both forms is found', () => {
  const of = (keys: Record<string, string>) => countless(keys).map(([key]) => key)
  expect(of({ files: '{{count}} files' })).toEqual(['files'])
  expect(of({ files_other: '{{count}} files' })).toEqual(['files_other'])
  expect(of({ files_one: 'One file', files_other: '{{count}} files', plain: 'Plain' })).toEqual([])
})

test('translations without an English catalogue are only for server texts', async () => {
  const alone = files.filter((path) => !files.includes(path.replace(/\.[a-z]{2}\.json$/, '.en.json')))
  for (const path of alone) expect((await readKeys(path)).filter((key) => !isInMessages(path)(key))).toEqual([])
})
