import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@panel/client'

const maxTries = 30

/**
 * Asks again where the panel is away or busy for a moment, as while it starts anew: what it works on goes on meanwhile. Gives up after a
 * minute of that. For questions alone, which may be asked twice.
 */
export async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>, pauseMs = 2_000): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (signal.aborted || tries === maxTries || !mayPass(error)) throw error
      await sleep(pauseMs, undefined, { signal })
    }
  }
}

/** fetch rejects with a TypeError where there is no connection. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return [429, 502, 503, 504].includes(error.status)
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')
}
