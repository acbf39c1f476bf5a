import type { QueryClient } from '@tanstack/react-query'

export interface Moment {
  ticks: number
  clock: number
}

const momentNow = (): Moment => ({ ticks: performance.now(), clock: Date.now() })
const pageBegan: Moment = { ticks: 0, clock: performance.timeOrigin }

/** Tracks until when the page knows all changes, because it queried later or was notified. */
export function createKnownTime(began: Moment, now: () => Moment) {
  let known = began
  let heard = began
  return {
    begin(): void {
      known = now()
    },
    /** Milliseconds of possibly missed changes, sent on connect. */
    connect(): number {
      heard = now()
      // The monotonic clock stops during sleep and the wall clock can be set, so use the larger difference.
      return Math.ceil(Math.max(heard.ticks - known.ticks, heard.clock - known.clock, 0))
    },
    /**
     * On a ping, everything before the previous ping’s answer is known. Not until now: after a sleep, old data is
     * processed late on a connection that may be dead.
     */
    hear(): void {
      known = heard
      heard = now()
    }
  }
}

const times = new WeakMap<QueryClient, ReturnType<typeof createKnownTime>>()

/** Separate from the live channel, whose code the sign-in page does not load. */
export function knownTimeOf(client: QueryClient): ReturnType<typeof createKnownTime> {
  const time = times.get(client) ?? createKnownTime(pageBegan, momentNow)
  times.set(client, time)
  return time
}
