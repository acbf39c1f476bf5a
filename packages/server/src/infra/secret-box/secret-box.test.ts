import { createCipheriv, createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { createSecretBox } from './secret-box.ts'

const key = 'a key of more than thirty-two characters'
const box = createSecretBox(key)
const flip = (hex: string) => (parseInt(hex[0]!, 16) ^ 1).toString(16) + hex.slice(1)

test('sealed texts open again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (plain) => {
      expect(box.open(box.seal(plain))).toBe(plain)
    })
  )
})

test('the format is iv:tag:ciphertext in hex: AES-256-GCM under the SHA-256 of the key', () => {
  const [iv, tag, text] = box.seal('plain').split(':') as [string, string, string]
  expect([iv, tag, text].map((part) => part.length)).toEqual([24, 32, 10])
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(key).digest(), Buffer.from(iv, 'hex'))
  expect(cipher.update('plain', 'utf8', 'hex') + cipher.final('hex')).toBe(text)
  expect(cipher.getAuthTag().toString('hex')).toBe(tag)
})

test('two seals of one text differ', () => {
  const seals = Array.from({ length: 1000 }, () => box.seal('same'))
  expect(new Set(seals.map((sealed) => sealed.split(':')[0])).size).toBe(1000)
  expect(new Set(seals.map((sealed) => sealed.split(':')[2])).size).toBe(1000)
})

describe('does not open', () => {
  const [iv, tag, text] = box.seal('plain').split(':') as [string, string, string]
  test.each<[string, string]>([
    ['another iv', `${flip(iv)}:${tag}:${text}`],
    ['another tag', `${iv}:${flip(tag)}:${text}`],
    ['another text', `${iv}:${tag}:${flip(text)}`],
    ['a longer text', `${iv}:${tag}:${text}00`],
    ['a shorter text', `${iv}:${tag}:${text.slice(2)}`],
    ['a tag of 4 bytes', `${iv}:${tag.slice(0, 8)}:${text}`],
    ['a tag of 12 bytes', `${iv}:${tag.slice(0, 24)}:${text}`],
    ['no tag', `${iv}::${text}`],
    ['an iv of 16 bytes', `${iv}00000000:${tag}:${text}`],
    ['half a byte', `${iv}:${tag}:${text}0`],
    ['upper case', `${iv}:${tag}:${text}`.toUpperCase()],
    ['a part more', `${iv}:${tag}:${text}:`],
    ['a line more', `${iv}:${tag}:${text}\n`],
    ['plain text', 'plain'],
    ['nothing', '']
  ])('%s', (_name, sealed) => expect(() => box.open(sealed)).toThrow())

  test('a text sealed with another key', () => {
    expect(() => createSecretBox(`${key}.`).open(box.seal('plain'))).toThrow()
    expect(createSecretBox(key).open(box.seal('plain'))).toBe('plain')
  })
})
