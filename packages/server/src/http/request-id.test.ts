import { expect, test } from 'vitest'
import { createRequestIds } from './request-id.ts'

test('no two requests have one id, of one process or of two', () => {
  const processes = [createRequestIds(), createRequestIds()]
  const ids = processes.flatMap((nextId) => Array.from({ length: 100 }, nextId))
  expect(new Set(ids).size).toBe(200)
})
