import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Automaton, buildAutomaton } from './needle-automaton.policy.ts'
import { maxNeedleCharacters, needlesOf } from './secret-forms.policy.ts'
import { createStreamMasker, maskText } from './secret-masker.policy.ts'

const secret = `p@ss "word"/ü+1`
const automatonOf = (...values: string[]) =>
  buildAutomaton(needlesOf(values.map((value) => ({ key: 'SETTING', value }))).needles)
const masked = (values: string[], text: string) => maskText(automatonOf(...values), text)

describe('masking', () => {
  test.each([
    ['plain text', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['base64 after one other byte', Buffer.from(`:${secret}`).toString('base64')],
    ['base64 of a login', Buffer.from(`user:${secret}`).toString('base64')],
    ['base64 with trailing text', Buffer.from(`${secret}\n`).toString('base64')],
    ['URL-encoded', encodeURIComponent(secret)],
    ['a form', new URLSearchParams({ v: secret }).toString()],
    ['JSON', JSON.stringify({ v: secret })],
    ['JSON in ASCII', JSON.stringify(secret).replace('ü', '\\u00fc')]
  ])('%s', (_, text) => {
    const result = masked([secret], `before ${text} after`)
    expect(result).toMatch(/^before .*•••••• ?.* after$/)
    for (const part of ['word', Buffer.from(secret).toString('base64').slice(6, 14)]) expect(result).not.toContain(part)
  })

  test('overlapping matches are masked together, adjacent ones separately', () => {
    const values = ['abcdef-1', 'abcdef-1234', '234-fedcba']
    expect(masked(values, 'x abcdef-1234 abcdef-1')).toBe('x •••••• ••••••')
    expect(masked(values, 'x abcdef-1234-fedcba y')).toBe('x •••••• y')
    expect(masked(['abcdef-1'], 'abcdef-1abcdef-1')).toBe('••••••••••••')
  })

  test.each([['short'], ['production'], ['orders'], ['3000'], ['']])('%j is no secret', (value) => {
    const text = 'short production: select 3000 of orders'
    expect(masked([value], text)).toBe(text)
  })

  test('a multi-line key is masked as a whole and line by line, but not single words in it', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n'
    expect(masked([key], `${key}and kqhkiG9w0BAQEF`)).toBe('••••••and ••••••')
    expect(masked(['production\nsecret-line-1'], 'in production, secret-line-1')).toBe('in production, ••••••')
  })

  test('characters with a meaning in regular expressions or templates', () => {
    expect(masked(['$&.*+?^()[]'], 'a$&.*+?^()[]b')).toBe('a••••••b')
  })

  // Each secret starts differently, so that no part of one occurs in the surrounding text.
  const planted = fc
    .array(
      fc
        .tuple(fc.stringMatching(/^[a-z]{3}[A-Z]{3}[0-9]{2}$/), fc.string({ unit: 'grapheme', maxLength: 200 }))
        .map(([head, rest]) => `${head}${rest.trim()}`),
      { minLength: 1, maxLength: 5 }
    )
    .map((values) => [...new Set(values)])
  const forms: ((value: string) => string)[] = [
    (value) => value,
    (value) => value.replaceAll('\n', '\r\n'),
    (value) => Buffer.from(value).toString('base64'),
    (value) => Buffer.from(value).toString('base64url'),
    (value) => Buffer.from(`:${value}`).toString('base64'),
    (value) => Buffer.from(`::${value}`).toString('base64url'),
    (value) => encodeURIComponent(value),
    (value) => encodeURIComponent(value).replaceAll('%20', '+'),
    (value) => new URLSearchParams({ v: value }).toString(),
    (value) => JSON.stringify(value),
    (value) => value.replaceAll("'", String.raw`'\''`)
  ]

  test('no encoding of a secret gets through, however the text is split', () => {
    fc.assert(
      fc.property(planted, fc.infiniteStream(fc.integer({ min: 1, max: 50 })), (values, sizes) => {
        const automaton = automatonOf(...values)
        for (const value of values)
          for (const form of forms) {
            const written = form(value)
            const result = through(automaton, cut(`<<${written}>>`, sizes))
            expect(result).toContain('••••••')
            // At the edges of base64, up to two characters at each end remain.
            const inner = written.replace(/^v=|^"|"$/g, '').slice(2, 10)
            expect(result).not.toContain(inner)
          }
      })
    )
  })
})

describe('a stream', () => {
  test('final text is passed on immediately, the rest at the end', () => {
    const stream = createStreamMasker(automatonOf('swordfish-1'))
    expect([stream.write('a\nb sword'), stream.write('c\n'), stream.write('swordfish'), stream.end()]).toEqual([
      'a\nb ',
      'swordc\n',
      '',
      'swordfish'
    ])
  })

  test('text after the end is independent', () => {
    const stream = createStreamMasker(automatonOf('swordfish-1'))
    expect([stream.write('swordf'), stream.end(), stream.write('ish-1'), stream.end()].join('')).toBe('swordfish-1')
  })

  test('endlessly overlapping matches use no memory', () => {
    const stream = createStreamMasker(automatonOf('abcabcabc1abc'))
    const automaton = buildAutomaton(['aaaaaaaa'])
    const endless = createStreamMasker(automaton)
    for (let piece = 0; piece < 100; piece++) expect(endless.write('a'.repeat(1_000))).toBe('')
    expect(endless.write('b') + endless.end()).toBe('••••••b')
    expect(stream.write('abcabcabc1abc') + stream.end()).toBe('••••••')
  })

  test('the result does not depend on how the text is split, and only secrets are removed', () => {
    const secrets = ['swordfish-1', 'two\nlines-of-it', 'fish-1swordfish', 'aa-aa-aa']
    const automaton = automatonOf(...secrets)
    const piece = fc.oneof(fc.constantFrom(...secrets, '\n', 'two\n', 'sword', 'aa-'), fc.string())
    fc.assert(
      fc.property(fc.array(piece), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('')
        const result = through(automaton, cut(text, sizes))
        expect(result).toBe(maskText(automaton, text))
        expect(result).toBe(slowly(text, secrets))
      })
    )
  })
})

describe('hostile variables', () => {
  const counting = (automaton: Automaton) => {
    const count = { steps: 0 }
    return {
      count,
      automaton: {
        ...automaton,
        next(state: number, character: number) {
          count.steps++
          return automaton.next(state, character)
        }
      }
    }
  }

  test('100,000 lines of eight characters: the automaton stays bounded and takes one step per character', () => {
    // Froze the panel for minutes once: 15 values of 64,900 bytes.
    const values = Array.from({ length: 15 }, (_, value) =>
      Array.from({ length: 7_211 }, (_, line) => (value * 7_211 + line).toString(36).padStart(8, 'k')).join('\n')
    )
    const { needles, shortened } = needlesOf(values.map((value) => ({ key: 'SETTING', value })))
    expect(needles.reduce((sum, needle) => sum + needle.length, 0)).toBeLessThanOrEqual(maxNeedleCharacters)
    expect(shortened).toBe(15)
    const { automaton, count } = counting(buildAutomaton(needles))
    expect(automaton.size).toBeLessThanOrEqual(maxNeedleCharacters + 1)
    const text = Array.from({ length: 10_000 }, (_, line) => `${line}\n`).join('')
    expect(maskText(automaton, text)).toBe(text)
    expect(count.steps).toBe(text.length)
    expect(maskText(automaton, values.join(' | '))).toBe(values.map(() => '••••••').join(' | '))
  })

  test('encodings beyond the limit are omitted, those of the longest values first', () => {
    const short = 'short-secret-1'
    const long = `long-secret-2${'x1'.repeat(2_000)}`
    const { needles, shortened } = needlesOf(
      [long, short].map((value) => ({ key: '', value })),
      10_000
    )
    expect(shortened).toBe(1)
    for (const form of [short, long, Buffer.from(short).toString('base64')]) expect(needles).toContain(form)
    expect(needles).not.toContain(Buffer.from(long).toString('base64'))
  })
})

function* pieces(text: string, sizes: Iterator<number>): Generator<string> {
  for (let at = 0, size; at < text.length; at += size) {
    size = sizes.next().value as number
    yield text.slice(at, at + size)
  }
}
const cut = (text: string, sizes: Iterator<number>) => [...pieces(text, sizes)]

function through(automaton: Automaton, chunks: readonly string[]): string {
  const stream = createStreamMasker(automaton)
  return chunks.map((chunk) => stream.write(chunk)).join('') + stream.end()
}

/** Reference implementation: looks for each form at each position. */
function slowly(text: string, secrets: readonly string[]): string {
  const { needles } = needlesOf(secrets.map((value) => ({ key: 'SETTING', value })))
  const found = needles.flatMap((needle) =>
    [...text].length === 0 ? [] : placesOf(text, needle).map((from) => ({ from, to: from + needle.length }))
  )
  found.sort((one, other) => one.from - other.from || other.to - one.to)
  let result = ''
  let at = 0
  for (let index = 0; index < found.length;) {
    const { from } = found[index]!
    let { to } = found[index]!
    while (index < found.length && found[index]!.from < to) to = Math.max(to, found[index++]!.to)
    result += `${text.slice(at, from)}••••••`
    at = to
  }
  return result + text.slice(at)
}

function placesOf(text: string, needle: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) places.push(at)
  return places
}
