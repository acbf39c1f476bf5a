import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CrtEntry,
  fileOf,
  isCertificateId,
  parseCrtEntry,
  parseCrtList,
  renderCrtLines,
  renderCrtList
} from './crt-list.render.ts'

const directory = '/run/panel/certs'
const entry = (id: string, keyKind: CrtEntry['keyKind'], ...hostnames: string[]): CrtEntry => ({
  id,
  version: '0123456789abcdef',
  keyKind,
  hostnames
})
const filters = (...entries: CrtEntry[]) => [...renderCrtLines(entries).values()]

test('the list, and parsing it', () => {
  const entries = [entry('one', 'ec', 'a.example.com', '*.a.example.com'), entry('a-2_B', 'rsa', 'b.example.com')]
  const text = renderCrtList(directory, '/var/lib/default.pem', renderCrtLines(entries))
  expect(text).toBe(
    '/var/lib/default.pem\n' +
      '/run/panel/certs/one-0123456789abcdef.ec.pem a.example.com *.a.example.com\n' +
      '/run/panel/certs/a-2_B-0123456789abcdef.rsa.pem b.example.com\n'
  )
  expect(parseCrtList(directory, text)).toEqual(entries)
})

test('parsing ignores invalid lines', () => {
  const good = `${directory}/one-0123456789abcdef.ec.pem`
  const text = [
    'garbage',
    good,
    `${good}x a.example.com`,
    `${directory}/../one-0123456789abcdef.ec.pem a.example.com`,
    '/etc/one-0123456789abcdef.ec.pem a.example.com',
    `${good} [verify none] localhost`,
    `${good} a.example.com !b.example.com ;`
  ].join('\n')
  expect(parseCrtList(directory, text)).toEqual([entry('one', 'ec', 'a.example.com')])
})

test.each<[string, CrtEntry, CrtEntry, string]>([
  [
    'RSA below EC',
    entry('x', 'rsa', 'a.example.com'),
    entry('w', 'ec', '*.example.com'),
    '*.example.com !a.example.com'
  ],
  [
    'Ed25519 below RSA',
    entry('x', 'other', 'a.example.com'),
    entry('w', 'rsa', '*.example.com'),
    '*.example.com !a.example.com'
  ],
  ['EC below RSA', entry('x', 'ec', 'a.example.com'), entry('w', 'rsa', '*.example.com'), '*.example.com'],
  ['the same kind', entry('x', 'ec', 'a.example.com'), entry('w', 'ec', '*.example.com'), '*.example.com'],
  ['another parent', entry('x', 'rsa', 'a.b.example.com'), entry('w', 'ec', '*.example.com'), '*.example.com'],
  ['the parent itself', entry('x', 'rsa', 'example.com'), entry('w', 'ec', '*.example.com'), '*.example.com'],
  ['another wildcard', entry('x', 'rsa', '*.example.com'), entry('w', 'ec', '*.example.com'), '*.example.com'],
  [
    'a name of both',
    entry('x', 'rsa', 'a.example.com', 'b.example.com'),
    entry('w', 'ec', '*.example.com', 'a.example.com'),
    '*.example.com a.example.com !b.example.com'
  ]
])('a wildcard excludes exact names whose key type HAProxy would not prefer: %s', (_, exact, wildcard, line) => {
  expect(filters(exact, wildcard)).toEqual([exact.hostnames.join(' '), line])
  expect(filters(wildcard, exact)).toEqual([line, exact.hostnames.join(' ')])
})

test('exclusions are sorted and limited to the line length', () => {
  const names = Array.from({ length: 2_000 }, (_, number) => `n${number}.example.com`)
  const exact = names.toReversed().map((name, index) => entry(`x${index}`, 'rsa', name))
  const line = filters(entry('w', 'ec', '*.example.com'), ...exact)[0]!
  expect(line).toMatch(/^\*\.example\.com !n0\.example\.com !n1\.example\.com !n10\.example\.com /)
  expect(line.length).toBeGreaterThan(29_900)
  expect(line.length).toBeLessThanOrEqual(30_000)
})

test('no id makes more than one word, and every id can be parsed', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a', '-', '.', '/', '..', '\n', ' ', ';', '.ec.pem')
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      (id) => {
        if (!isCertificateId(id)) return
        expect(id).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(parseCrtEntry(fileOf(entry(id, 'ec')), 'a.example.com')).toEqual(entry(id, 'ec', 'a.example.com'))
      }
    )
  )
})
