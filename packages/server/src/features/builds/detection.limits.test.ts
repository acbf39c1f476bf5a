import { expect, test } from 'vitest'
import { createDetectionPlaces } from './detection.limits.ts'

test('who does not get a place in time hears so, and takes nobody’s place later', async () => {
  const inPlace = createDetectionPlaces({ total: 1, waitMs: 1 })
  let end: () => void = () => {}
  const first = inPlace(() => new Promise<void>((resolve) => (end = resolve)))
  const late = inPlace(() => Promise.reject(new Error('it was let in')))
  await expect(late).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('try again') as string })
  end()
  await first
  expect(await inPlace(async () => 'in')).toBe('in')
})
