import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeReferences, fillIn, parseReferences } from './reference.policy.ts'

const limit = 64 * 1024

test.each([
  ['', []],
  ['plain $HOME ${HOME} {{x}} $ {{', []],
  ['${{KEY}}', ['KEY']],
  ['${{ KEY }}', ['KEY']],
  ['a ${{KEY}} b ${{shop.url}} c ${{KEY}}', ['KEY', 'shop.url']],
  ['${{shared-keys.TOKEN}}', ['shared-keys.TOKEN']],
  ['${{1shop.url}}', ['1shop.url']],
  ['$${{KEY}}', []],
  ['$$${{KEY}}', []],
  ['$${{KEY}}${{OTHER}}', ['OTHER']]
])('%j refers to %j', (value, references) => expect(parseReferences(value)).toEqual({ references }))

test.each([
  '${{',
  '${{}}',
  '${{KEY}',
  '${{a b}}',
  '${{.url}}',
  '${{a.b.c}}',
  '${{shared-keys}}',
  '${{\nKEY}}',
  '${{9}}'
])('%j is not a reference', (value) => expect(parseReferences(value)).toHaveProperty('invalid'))

test('references are replaced once: what they contain is not read again', () => {
  const values: Record<string, string> = { A: '${{B}}', B: '$${{A}}', 'db.url': 'postgres://' }
  expect(fillIn('1 ${{A}} 2 $${{B}} ${{ B }} ${{db.url}}', (name) => values[name]!, limit)).toBe(
    '1 ${{B}} 2 ${{B}} $${{A}} postgres://'
  )
})

test('a text that grows over the limit is given up', () => {
  expect(fillIn('${{A}}${{A}}', () => 'x'.repeat(10), 20)).toHaveLength(20)
  expect(fillIn('${{A}}${{A}}.', () => 'x'.repeat(10), 20)).toBeUndefined()
})

const piece = fc.oneof(
  fc.constantFrom('$', '{', '}', '${{', '$${{', '}}', 'KEY', '.', '\n'),
  fc.string({ maxLength: 3 })
)

test('an escaped text is used as it was', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const escaped = escapeReferences(text)
      expect(parseReferences(escaped)).toEqual({ references: [] })
      expect(fillIn(escaped, () => 'never', limit)).toBe(text)
    }),
    { numRuns: 1000 }
  )
})
