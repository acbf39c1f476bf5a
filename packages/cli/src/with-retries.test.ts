import { ApiError } from '@panel/client'
import { expect, test } from 'vitest'
import { withRetries } from './with-retries.ts'

const running = new AbortController().signal
const refusal = (status: number, code: string) => new ApiError(new Response(null, { status }), { error: 'no', code })

/** Rejects with these errors in turn, then resolves with the number of calls. */
function requested(...errors: Error[]): () => Promise<number> {
  let times = 0
  return async () => {
    times += 1
    const error = errors[times - 1]
    if (error) throw error
    return times
  }
}

test('temporary errors are retried until it succeeds', async () => {
  const ask = requested(
    new TypeError('fetch failed'),
    refusal(503, 'BUSY'),
    refusal(429, 'RATE_LIMITED'),
    refusal(502, '')
  )
  expect(await withRetries(running, ask, 1)).toBe(5)
})

test.each([refusal(404, 'NOT_FOUND'), refusal(401, 'UNAUTHENTICATED'), refusal(500, 'INTERNAL'), new Error('ours')])(
  'what stays is told at once: %s',
  async (error) => {
    await expect(withRetries(running, requested(error), 1)).rejects.toBe(error)
  }
)

test('gives up after the limit, and at once when aborted', async () => {
  const unavailable = new TypeError('fetch failed')
  await expect(withRetries(running, requested(...Array<Error>(30).fill(unavailable)), 1)).rejects.toBe(unavailable)
  await expect(withRetries(AbortSignal.abort(), requested(unavailable), 1)).rejects.toBe(unavailable)
})
