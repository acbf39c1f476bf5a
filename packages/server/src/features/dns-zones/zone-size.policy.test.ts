import { sentenceText } from '@panel/contract/sentences'
import { zoneLineTexts } from '@panel/contract/zone-line-texts'
import { expect, test } from 'vitest'
import { growthProblem, sizeAfter, sizeOf } from './zone-size.policy.ts'

const limits = { records: 10, bytes: 1024 }
const size = (records: number, bytes = 0) => ({ records, bytes })

test('counts names and values in UTF-8 plus 32 bytes per record', () => {
  expect(sizeOf([])).toEqual(size(0))
  expect(
    sizeOf([
      { name: '@', value: '192.0.2.1' },
      { name: 'a', value: 'é😀' }
    ])
  ).toEqual(size(2, 1 + 9 + 32 + 1 + 6 + 32))
  expect(sizeAfter(size(5, 50), size(1, 10), size(2, 20))).toEqual(size(4, 40))
})

test.each([
  ['up to the limits', size(9, 1000), size(10, 1024), undefined],
  ['one more', size(10), size(11), 'the zone would have more than 10 records'],
  ['a byte more', size(1, 1024), size(1, 1025), 'the names and values of the zone would exceed 1 KiB'],
  ['too large and the same', size(11, 1025), size(11, 1025), undefined],
  ['too large and smaller', size(12, 1027), size(11, 1026), undefined],
  ['too large and larger', size(11), size(12), 'the zone would have more than 10 records']
])('%s', (_case, before, after, problem) => {
  const found = growthProblem(before, after, limits)
  expect(found && sentenceText(zoneLineTexts, [found])).toBe(problem)
})
