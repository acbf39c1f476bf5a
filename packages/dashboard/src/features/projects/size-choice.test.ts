import { sizePresets } from '@panel/contract/project-sizes'
import { expect, test } from 'vitest'
import { sizeChoiceOf } from './size-choice.ts'

test.each([
  [null, 'server'],
  [{ ...sizePresets.medium }, 'medium'],
  [{ ...sizePresets.medium, pids: 300 }, 'custom']
])('%j is %s', (size, choice) => {
  expect(sizeChoiceOf(size)).toBe(choice)
})
