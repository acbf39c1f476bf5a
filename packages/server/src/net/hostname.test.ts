import { describe, expect, test } from 'vitest'
import { isHostname } from './hostname.ts'

describe('isHostname', () => {
  test.each([
    'localhost',
    'a',
    'example.com',
    'a-b.c-d.example',
    '1.example',
    'xn--bcher-kva.example',
    `${'a'.repeat(63)}.example`,
    Array(127).fill('a').join('.')
  ])('%s is one', (text) => {
    expect(isHostname(text)).toBe(true)
  })
  test.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '-a',
    'a-',
    'a.-b',
    'A.example',
    'a_b.example',
    'a b',
    'a\n',
    'a\0',
    '*.example',
    'bücher.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'a/b',
    'a:80',
    '[::1]'
  ])('%j is none', (text) => expect(isHostname(text)).toBe(false))
})
