interface Taken<Event> {
  take(event: Event): void
  /** Of one that could not be handed on: the others are. */
  onError(error: unknown): void
}

/** Hands on what comes, in its order, so many in a turn of the event loop: one commit may tell hundreds of accounts, and nobody waits for all of that. */
export function createEventQueue<Event>(perTick: number, { take, onError }: Taken<Event>): (event: Event) => void {
  const waiting: Event[] = []
  let isScheduled = false
  const tick = () => {
    for (const event of waiting.splice(0, perTick)) {
      try {
        take(event)
      } catch (error) {
        onError(error)
      }
    }
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(tick)
  }
  return (event) => {
    waiting.push(event)
    if (isScheduled) return
    isScheduled = true
    setImmediate(tick)
  }
}
