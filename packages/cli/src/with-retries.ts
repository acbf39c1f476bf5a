import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@panel/client'

const maxTries = 30

/**
 * Retries while the panel is unreachable or busy, for example during a restart, which does not interrupt its jobs. Gives up after a minute.
 * For reads only, because a request may have been processed before its connection broke.
 */
export async function withRetries<T>(signal: AbortSignal, ask: () => Promise<T>, pauseMs = 2_000): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || tries === maxTries || !mayPass(error)) throw error
      await sleep(pauseMs, undefined, { signal })
    }
  }
}

/** fetch rejects with a TypeError when it cannot connect. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
}
