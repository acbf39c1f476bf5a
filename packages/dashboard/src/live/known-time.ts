import type { QueryClient } from '@tanstack/react-query'

export interface Moment {
  ticks: number
  clock: number
}

const momentNow = (): Moment => ({ ticks: performance.now(), clock: Date.now() })
const pageBegan: Moment = { ticks: 0, clock: performance.timeOrigin }

/** Until when all that happened is known: what the page shows was asked for after that, or told of. */
export function createKnownTime(began: Moment, now: () => Moment) {
  let known = began
  /** When the server was last heard, and answered. */
  let heard = began
  return {
    /** Nothing was asked for yet: all is still to come. */
    begin(): void {
      known = now()
    },
    /** For how many milliseconds something may have happened that is not known: what a new connection is to tell. */
    connect(): number {
      heard = now()
      // One of the two clocks stands still while the machine sleeps, the other one is set.
      return Math.ceil(Math.max(heard.ticks - known.ticks, heard.clock - known.clock, 0))
    },
    /**
     * The server sent a sign of life, after the answer to the one before: what it told until that answer has come. Not all until now: after a
     * sleep of the machine, or of the page, what came before is taken late, and the connection may be long gone.
     */
    hear(): void {
      known = heard
      heard = now()
    }
  }
}

const times = new WeakMap<QueryClient, ReturnType<typeof createKnownTime>>()

/** Of what this client has asked for. Apart from the channel, whose code the page to sign in does not bring. */
export function knownTimeOf(client: QueryClient): ReturnType<typeof createKnownTime> {
  const time = times.get(client) ?? createKnownTime(pageBegan, momentNow)
  times.set(client, time)
  return time
}
