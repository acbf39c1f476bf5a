import { setTimeout as sleep } from 'node:timers/promises'

const [shortestPauseMs, longestPauseMs] = [2_000, 30_000]

/**
 * Connects again whenever `connect` ends, however it ends, with growing pauses after connections that did not last. `connect`
 * must end when `signal` aborts.
 */
export async function keepConnected(connect: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let pauseMs = shortestPauseMs; !signal.aborted;) {
    const startedAt = performance.now()
    await connect().catch(() => {})
    const hasLasted = performance.now() - startedAt > pauseMs
    if (hasLasted) pauseMs = shortestPauseMs
    await sleep(pauseMs, undefined, { signal }).catch(() => {}) // Woken up to stop.
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}
