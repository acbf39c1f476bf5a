import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../time/monotonic-clock.ts'

interface Reading {
  atMs: number
}
export interface Pair<T> {
  before: T | undefined
  now: T
}

/** Younger readings are shared by all callers. */
const freshMs = 2_000
/** Older readings cannot be used for rates. */
const maxAgeMs = 90_000
const shortMs = 250

/** Provides the last two readings, the later one fresh, to compute rates. Concurrent callers share one reading. */
export function createSampler<T extends Reading>(read: () => Promise<T>, clock = monotonicMs) {
  let last: Pair<T> | undefined
  let running: Promise<Pair<T>> | undefined
  const sample = async (): Promise<Pair<T>> => {
    let before = last?.now
    if (!before || clock() - before.atMs > maxAgeMs) {
      before = await read()
      await sleep(shortMs)
    }
    return (last = { before, now: await read() })
  }
  return async (): Promise<Pair<T>> => {
    if (last && clock() - last.now.atMs < freshMs) return last
    return (running ??= sample().finally(() => (running = undefined)))
  }
}
