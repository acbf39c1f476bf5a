import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import { lowDiskProblem } from './free-disk.policy.ts'

const limit = 2 * 2 ** 30

test.each([
  ['room', limit * 2, false],
  ['exactly enough', limit, false],
  ['one byte less', limit - 1, true],
  ['full', 0, true],
  ['unknown', undefined, false]
])('%s', (_, freeBytes, isLow) => {
  expect(lowDiskProblem(freeBytes, limit) !== undefined).toBe(isLow)
})

test('the message names the free space, the required space and the setting', () => {
  const sentence = sentenceText(failureTexts, [lowDiskProblem(300 * 2 ** 20, limit)!])
  expect(sentence).toContain('300 MiB are free')
  expect(sentence).toContain('needs 2048 MiB')
})
