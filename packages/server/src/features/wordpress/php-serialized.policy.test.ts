import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rewriteValue } from './php-serialized.policy.ts'

const replace = (text: string) => text.replaceAll('http://old.example', 'https://new.example.org')
const rewrite = (value: string) => rewriteValue(value, replace)

describe('plain values', () => {
  test.each([
    ['http://old.example/a', 'https://new.example.org/a'],
    ['', ''],
    ['a: see http://old.example', 'a: see https://new.example.org'],
    ['i:5 is http://old.example', 'i:5 is https://new.example.org'],
    ['{"a":"http://old.example"}', '{"a":"https://new.example.org"}']
  ])('%s', (value, expected) => expect(rewrite(value)).toEqual({ value: expected, isMalformed: false }))
})

describe('serialized values', () => {
  test.each([
    ['a string', 's:18:"http://old.example";', 's:23:"https://new.example.org";'],
    ['spaces around it', ' s:18:"http://old.example"; ', ' s:23:"https://new.example.org"; '],
    [
      'an array',
      'a:2:{s:1:"u";s:18:"http://old.example";i:1;d:0.5;}',
      'a:2:{s:1:"u";s:23:"https://new.example.org";i:1;d:0.5;}'
    ],
    ['bytes, not characters', `s:20:"http://old.example\xc3\xa9";`, `s:25:"https://new.example.org\xc3\xa9";`],
    ['a string in a string', 's:26:"s:18:"http://old.example";";', 's:31:"s:23:"https://new.example.org";";'],
    [
      'an object with references',
      'O:8:"stdClass":3:{s:1:"a";s:18:"http://old.example";s:1:"b";R:2;s:1:"c";r:1;}',
      'O:8:"stdClass":3:{s:1:"a";s:23:"https://new.example.org";s:1:"b";R:2;s:1:"c";r:1;}'
    ],
    [
      'a private member',
      'O:3:"A\\B":1:{s:6:"\0A\\B\0u";s:18:"http://old.example";}',
      'O:3:"A\\B":1:{s:6:"\0A\\B\0u";s:23:"https://new.example.org";}'
    ],
    ['a class with a form of its own', 'C:1:"A":18:{http://old.example}', 'C:1:"A":18:{http://old.example}'],
    ['a case of an enumeration', 'E:6:"Suit:A";', 'E:6:"Suit:A";'],
    ['quotes and braces in a string', 's:21:"";}http://old.example";', 's:26:"";}https://new.example.org";'],
    ['nothing in it', 'a:0:{}', 'a:0:{}'],
    ['floats', 'a:3:{i:0;d:1.0E+25;i:1;d:-INF;i:2;d:NAN;}', 'a:3:{i:0;d:1.0E+25;i:1;d:-INF;i:2;d:NAN;}']
  ])('%s', (_name, value, expected) => expect(rewrite(value)).toEqual({ value: expected, isMalformed: false }))

  test.each([
    ['a wrong length', 's:17:"http://old.example";'],
    ['a cut one', 'a:2:{s:1:"u";s:18:"http://old.example";'],
    ['more after it', 's:18:"http://old.example";x'],
    ['a huge length', 's:9999999999:"http://old.example";'],
    ['a count that is too small', 'a:1:{i:0;i:1;i:2;s:18:"http://old.example";}']
  ])('leaves %s unchanged', (_name, value) => expect(rewrite(value)).toEqual({ value, isMalformed: true }))

  test('leaves only the malformed nested value unchanged', () => {
    expect(rewrite('a:2:{i:0;s:7:"s:3:"ab";i:1;s:18:"http://old.example";}')).toEqual({
      value: 'a:2:{i:0;s:7:"s:3:"ab";i:1;s:23:"https://new.example.org";}',
      isMalformed: true
    })
  })

  test('handles arrays nested 100,000 levels deep', () => {
    const value = `${'a:1:{i:0;'.repeat(100_000)}N;${'}'.repeat(100_000)}`
    expect(rewrite(value)).toEqual({ value, isMalformed: false })
  })
})

type Php = null | boolean | number | string | Php[] | { [key: string]: Php }

function serialize(value: Php): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'string') return `s:${value.length}:"${value}";`
  const entries = Object.entries(value)
  const inner = entries.map(([key, item]) => serialize(Array.isArray(value) ? Number(key) : key) + serialize(item))
  return `${Array.isArray(value) ? `a:${entries.length}` : `O:8:"stdClass":${entries.length}`}:{${inner.join('')}}`
}

const text = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)) }),
  fc.tuple(fc.string(), fc.string()).map(([a, b]) => `${Buffer.from(a).toString('latin1')}http://old.example${b}`)
)
const { php } = fc.letrec<{ php: Php }>((tie) => ({
  php: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie('php'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 5 }), tie('php'), {
      maxKeys: 4,
      noNullPrototype: true
    }),
    tie('php').map(serialize)
  )
}))

const mapTexts = (value: Php): Php => {
  if (typeof value === 'string') return rewrite(value).value
  if (Array.isArray(value)) return value.map(mapTexts)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rewrite(key).value, mapTexts(item)]))
}

test('rewriting a serialized value equals serializing the rewritten value', () => {
  fc.assert(
    fc.property(php, (value) => {
      expect(rewrite(serialize(value)).value).toBe(serialize(mapTexts(value)))
    })
  )
})

test('changes only what is replaced', () => {
  fc.assert(
    fc.property(php, (value) => {
      expect(rewriteValue(serialize(value), (unchanged) => unchanged).value).toBe(serialize(value))
    })
  )
})

describe('reads a million characters in linear time', () => {
  const many = (text: string) => text.repeat(1e6 / text.length)
  test.each([
    ['spaces in the middle', `a:1:{${many(' ')}old.example`],
    ['spaces around it', `${many(' ')}i:1;x${many(' ')}x`],
    ['digits', `d:${many('1')}x`],
    ['digits in an array', `a:1:{d:${many('1')}`],
    ['a long class', `O:1:"${many('A')}`],
    ['arrays in arrays', many('a:1:{i:0;')],
    ['elements', `a:9999999:{${many('i:0;N;')}`],
    ['texts', `a:9999999:{${many('s:1:"a";')}`]
  ])('%s', (_name, value) => {
    expect(rewriteValue(value, (text) => text).value).toBe(value)
  })

  test('nested strings', () => {
    let value = many('http://old.example ')
    for (let depth = 0; depth < 40; depth++) value = `s:${value.length}:"${value}";`
    const { value: rewritten, isMalformed } = rewrite(value)
    expect(isMalformed).toBe(false)
    expect(rewritten).toContain(':"https://new.example.org https://new.example.org ')
  })
})
