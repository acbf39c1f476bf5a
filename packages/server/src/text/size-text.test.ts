import { expect, test } from 'vitest'
import { sizeText } from './size-text.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [20 * 2 ** 20, '20 MB'],
  [2.25 * 2 ** 30, '2.3 GB'],
  [5000 * 2 ** 40, '5000 TB']
])('%s', (bytes, expected) => expect(sizeText(bytes)).toBe(expected))
