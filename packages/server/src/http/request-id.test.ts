import { expect, test } from 'vitest'
import { createRequestIds } from './request-id.ts'

test('request ids are unique within and across processes', () => {
  const processes = [createRequestIds(), createRequestIds()]
  const ids = processes.flatMap((nextId) => Array.from({ length: 100 }, nextId))
  expect(new Set(ids).size).toBe(200)
})
