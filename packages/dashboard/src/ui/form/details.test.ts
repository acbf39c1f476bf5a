import { detailCodes, type Described, sentenceOf } from '@panel/contract/details'
import { expect, test } from 'vitest'
import { translator } from '../../i18n/messages.ts'
import german from './details.de.json'
import english from './details.en.json'

const ofRecords = {
  escape: 300,
  from: 1,
  hostname: 'example.com',
  mark: '!',
  name: 'port',
  number: 2,
  text: 'x',
  to: 9,
  type: 'MX',
  what: 'type'
}

const described = (code: Described['code'], count: number): Described => ({
  code,
  values: { count, limit: 7, names: 'a, b', ...ofRecords }
})

test.each(detailCodes)('%s matches the contract and has a German translation', (code) => {
  const [en, de] = [translator('en', english, english), translator('de', english, german)]
  const valuesIn = (texts: Readonly<Record<string, string>>) =>
    new Set(
      Object.entries(texts)
        .filter(([key]) => key.replace(/_(one|other)$/, '') === code)
        .flatMap(([, text]) => text.match(/\{\{\w+\}\}/g) ?? [])
    )
  expect(valuesIn(german)).toEqual(valuesIn(english))
  for (const count of [1, 2]) {
    const { values } = described(code, count)
    expect(en(code, values)).toBe(sentenceOf(described(code, count)))
    expect(de(code, values)).not.toBe(en(code, values))
    expect(de(code, values)).not.toContain('{{')
  }
})
