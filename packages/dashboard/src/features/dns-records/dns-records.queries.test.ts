import { expect, test } from 'vitest'
import { type DnsRecord, matching, numbersOf } from './dns-records.queries.ts'

const record = (name: string, type: DnsRecord['type'], value: string) => ({ name, type, value }) as DnsRecord
const records = [
  record('www', 'A', '192.0.2.1'),
  record('@', 'MX', 'mail.example.com'),
  record('api', 'A', '192.0.2.2')
]

test.each([
  [{}, ['@', 'api', 'www']],
  [{ type: 'A' }, ['api', 'www']],
  [{ q: 'MAIL' }, ['@']],
  [{ q: '192.0.2.2', type: 'A' }, ['api']],
  [{ q: 'nothing' }, []]
])('%j', (search, names) => expect(matching(records, search).map(({ name }) => name)).toEqual(names))

test('MX and SRV have numbers', () => {
  expect([numbersOf('A'), numbersOf('MX'), numbersOf('SRV')]).toEqual([
    [],
    ['priority'],
    ['priority', 'weight', 'port']
  ])
})
