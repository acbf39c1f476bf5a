import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { connectionBudget, leastConnections, lockConnections, requestConnections } from './connection-budget.ts'

const configOf = (env: Record<string, string> = {}) => parseConfig({ SESSION_SECRET: 'a1b2c3d4'.repeat(8), ...env })

test.each(['46', '100'])('of %s, the pools use all and no more', (STORE_CONNECTIONS) => {
  const { locks: _, ...single } = connectionBudget
  const others = Object.values(single).reduce<number>((all, each) => all + each, lockConnections)
  const total = configOf({ STORE_CONNECTIONS }).STORE_CONNECTIONS
  expect(requestConnections(total)).toBeGreaterThanOrEqual(9)
  expect(requestConnections(total) + others).toBe(Number(STORE_CONNECTIONS))
})

test('the default is the minimum', () => {
  expect(configOf().STORE_CONNECTIONS).toBe(leastConnections)
  expect(() => configOf({ STORE_CONNECTIONS: String(leastConnections - 1) })).toThrow('STORE_CONNECTIONS')
})

test('two processes leave five of a hundred connections free, besides those for superusers', () => {
  expect(100 - 3 - 2 * leastConnections).toBeGreaterThanOrEqual(5)
})
