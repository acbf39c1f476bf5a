import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasker, createStreamMasker } from './secret-masker.policy.ts'

const secret = `p@ss "word"/ü+1`

describe('masking', () => {
  test.each([
    ['as it is', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['base64 after one other byte', Buffer.from(`:${secret}`).toString('base64')],
    ['base64 of a login', Buffer.from(`user:${secret}`).toString('base64')],
    ['base64 with more behind', Buffer.from(`${secret}\n`).toString('base64')],
    ['URL-encoded', encodeURIComponent(secret)],
    ['a form', new URLSearchParams({ v: secret }).toString()],
    ['JSON', JSON.stringify({ v: secret })],
    ['JSON in ASCII', JSON.stringify(secret).replace('ü', '\\u00fc')]
  ])('%s', (_, text) => {
    const masked = createMasker([secret])(`before ${text} after`)
    expect(masked).toMatch(/^before .*•••••• ?.* after$/)
    for (const part of ['word', Buffer.from(secret).toString('base64').slice(6, 14)]) expect(masked).not.toContain(part)
  })

  test('the longest first: nothing of a longer secret is left', () => {
    expect(createMasker(['abcdef', 'abcdefghij'])('x abcdefghij abcdef')).toBe('x •••••• ••••••')
  })

  test.each([['short'], ['production'], ['']])('%j is no secret', (value) => {
    expect(createMasker([value])('short production')).toBe('short production')
  })

  test('a key of several lines, whole and line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n'
    expect(createMasker([key])(`${key}and kqhkiG9w0BAQEF`)).toBe('••••••and ••••••')
  })

  test('characters that mean something elsewhere', () => {
    expect(createMasker(['$&.*+?^()[]'])('a$&.*+?^()[]b')).toBe('a••••••b')
  })
})

describe('a stream', () => {
  const through = (values: string[], chunks: string[]) => {
    const written: string[] = []
    const stream = createStreamMasker(values, (text) => written.push(text))
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
    return written
  }

  test('whole lines are handed on at once, the rest at the end', () => {
    expect(through([], ['a\nb', 'c\n', 'd'])).toEqual(['a\n', 'bc\n', 'd'])
  })

  test('a secret in many pieces', () => {
    expect(through([secret], [...`x ${secret} y\n`]).join('')).toBe('x •••••• y\n')
  })

  test('a secret over several lines in many pieces', () => {
    const key = 'first line of it\nsecond line of it\n'
    expect(through([key], [...`x ${key}y\n`]).join('')).toBe('x ••••••y\n')
  })

  test('a line without end is handed on, with its secrets masked', () => {
    const written = through([secret], [`${'x'.repeat(200_000)}${secret.slice(0, 5)}`, `${secret.slice(5)}${'y'.repeat(200_000)}`])
    expect(written.length).toBeGreaterThan(1)
    expect(written.join('')).toBe(`${'x'.repeat(200_000)}••••••${'y'.repeat(200_000)}`)
  }) // prettier-ignore

  test('however the text is cut, no secret comes through and nothing else is lost', () => {
    const secrets = ['swordfish-1', 'two\nlines-of-it']
    const piece = fc.oneof(fc.constantFrom(...secrets, '\n', 'two\n', 'sword'), fc.string())
    fc.assert(
      fc.property(fc.array(piece), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('')
        const chunks: string[] = []
        for (let at = 0; at < text.length; at += chunks.at(-1)!.length) chunks.push(text.slice(at, at + sizes.next().value))
        expect(through(secrets, chunks).join('')).toBe(createMasker(secrets)(text))
      })
    ) // prettier-ignore
  })
})
