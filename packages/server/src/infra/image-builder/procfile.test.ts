import { expect, test } from 'vitest'
import { parseProcfile } from './procfile.ts'

test.each<[string, string | undefined, Record<string, string>]>([
  ['no file', undefined, {}],
  ['one of each kind', 'web: node a.js\nrelease: npm run migrate\nworker: node b.js\n', { web: 'node a.js', release: 'npm run migrate', worker: 'node b.js' }],
  ['carriage returns and spaces', 'web:  a  \r\nworker:\tb\r\n', { web: 'a', worker: 'b' }],
  ['comments and other lines', '# worker: a\nnothing\n worker: b\n: c\n\nweb: d # e', { web: 'd # e' }],
  ['colons in the command', 'worker: celery -b redis://a:1/0', { worker: 'celery -b redis://a:1/0' }],
  ['an empty command', 'worker:\nworker: a', { worker: 'a' }],
  ['the first line of a name', 'worker: a\nworker: b', { worker: 'a' }],
  ['invalid names', '-b: b\nc.d: c\n' + 'e'.repeat(31) + ': e\n__proto__: f\nconstructor: g', { constructor: 'g' }],
  ['unusable commands', `a: x\0\nb: ${'x'.repeat(2001)}\nc: \ud800\nd: y`, { d: 'y' }]
])('%s', (_title, text, expected) => {
  expect(parseProcfile(text)).toEqual(expected)
}) // oxfmt-ignore

test('a large file gives twenty processes', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `w${at}: run`).join('\n')
  expect(Object.keys(parseProcfile(text))).toHaveLength(20)
})
