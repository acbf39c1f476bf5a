import { describe, expect, test } from 'vitest'
import { createPlainTextStream, plainText } from './terminal-text.ts'

describe('plain text', () => {
  test.each([
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b(Bplain\u001b=', 'plain'],
    ['a\r\nb\tc\u0000\u0008\u007f\u0085', 'a\nb\tc'],
    ['ünïcode ✓ 🎉', 'ünïcode ✓ 🎉'],
    ['lone \ud83d surrogate', 'lone \ufffd surrogate']
  ])('%j becomes %j', (input, expected) => {
    expect(plainText(input)).toBe(expected)
  })

  test('removes a sequence split across two chunks', () => {
    const input = 'a\u001b[1;31mred\u001b[0m \u001b]0;title\u001b\\b'
    for (let cut = 0; cut <= input.length; cut++) {
      const clean = createPlainTextStream()
      expect(clean(input.slice(0, cut)) + clean(input.slice(cut))).toBe('ared b')
    }
  })

  test('an unterminated sequence does not hold back text forever', () => {
    const clean = createPlainTextStream()
    expect(clean('\u001b]0;') + clean('x'.repeat(2000)) + clean('end')).toMatch(/x{2000}end$/)
  })
})
