import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quotedValues } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import { byWord, type Catalogue } from './i18n/messages.ts'
import { sentenceTables } from './sentence-tables.fixture.ts'

const read = async ({ german, word }: (typeof sentenceTables)[number]): Promise<Catalogue> =>
  typeof german === 'string'
    ? (JSON.parse(await readFile(join(import.meta.dirname, `${german}.de.json`), 'utf8')) as Catalogue)
    : byWord(word, german)
const valuesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort()
const isValue = (text: string) => /^\{\{\w+\}\}$/.test(text)
/** Words of others stand in quotation marks, unless they are all that is said. */
const unquoted = (text: string) =>
  isValue(text) ? [] : quotedValues.filter((name) => text.replaceAll(`„{{${name}}}“`, '').includes(`{{${name}}}`))

test.each(sentenceTables)('every $word text has a German translation with the same values', async (table) => {
  const { texts, word } = table
  const german = await read(table)
  for (const [code, text] of Object.entries(texts)) {
    const translated = german[`${word}.${code}`]
    expect(translated, code).toBeDefined()
    expect(valuesIn(translated!), code).toEqual(valuesIn(text))
    expect(unquoted(translated!), code).toEqual([])
    // A text of values alone says nothing in any language.
    if (isValue(text)) expect(translated).toBe(text)
    else if (text !== code) expect(translated).not.toBe(text)
  }
})

test.each(sentenceTables)('no $word translation is unknown to the contract', async (table) => {
  const { texts, word } = table
  const codes = Object.keys(await read(table)).flatMap((key) =>
    key.startsWith(`${word}.`) ? [key.slice(word.length + 1)] : []
  )
  expect(codes.filter((code) => !(code in texts))).toEqual([])
})
