import { expect, test } from 'vitest'
import { maxConnectionsFor, parseOpenFilesLimit } from './haproxy-pids.ts'

test.each([
  [
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 524288               files     \n',
    1024
  ],
  ['Max open files            unlimited            unlimited            files     \n', Number.MAX_SAFE_INTEGER],
  ['', 1024]
])('the soft limit of open files', (text, limit) => {
  expect(parseOpenFilesLimit(text)).toBe(limit)
})

test.each([
  [1024, 412],
  [20_000, 8_000],
  [Number.MAX_SAFE_INTEGER, 8_000],
  [100, 1]
])('%d open files allow %d connections', (limit, connections) => {
  expect(maxConnectionsFor(limit)).toBe(connections)
})
