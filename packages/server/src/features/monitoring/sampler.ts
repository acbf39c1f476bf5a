import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../../time/monotonic-clock.ts'

interface Reading {
  atMs: number
}
export interface Pair<T> {
  before: T | undefined
  now: T
}

/** Younger than this, a reading is taken for everybody who asks. */
const freshMs = 2_000
/** A reading before this says nothing of now. */
const maxAgeMs = 90_000
const shortMs = 250

/**
 * Two readings, of which the later one is of now: rates are what is between them. Whoever asks while one is taken gets the same, so that
 * there is one sampler however many ask.
 */
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
