import { expect, test } from 'vitest'
import { createDetectionLimit } from './detection.limits.ts'

test('a request that times out in the queue is rejected and does not take a slot later', async () => {
  const withSlot = createDetectionLimit({ total: 1, waitMs: 1 })
  let end: () => void = () => {}
  const first = withSlot(() => new Promise<void>((resolve) => (end = resolve)))
  const late = withSlot(() => Promise.reject(new Error('it got a slot')))
  await expect(late).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('Try again') as string })
  end()
  await first
  expect(await withSlot(async () => 'in')).toBe('in')
})
