import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { schedulesOf } from './feature.ts'
import { features, queueNames } from './index.ts'

test('feature names and queue names are unique', () => {
  const names = features.map((feature) => feature.name)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(queueNames).size).toBe(queueNames.length)
})

test('every schedule has a handler', () => {
  const config = parseConfig({ SESSION_SECRET: 'f00dfacef00dfacef00dfacef00dfacef00dface' })
  const scheduled = features.flatMap((feature) => schedulesOf(feature, config)).map(({ queue }) => queue)
  expect(scheduled.filter((queue) => !queueNames.includes(queue))).toEqual([])
})
