import { expect, test } from 'vitest'
import { features, queueNames } from './index.ts'

test('names and queues are there once', () => {
  const names = features.map((feature) => feature.name)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(queueNames).size).toBe(queueNames.length)
})

test('what is scheduled has a handler', () => {
  const scheduled = features.flatMap((feature) => feature.schedules ?? []).map(({ queue }) => queue)
  expect(scheduled.filter((queue) => !queueNames.includes(queue))).toEqual([])
})
