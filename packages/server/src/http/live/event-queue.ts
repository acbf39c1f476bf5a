interface Taken<Event> {
  take(event: Event): void
  onError(error: unknown): void
}

/**
 * FIFO queue that delivers `perTick` events per event-loop tick, because one commit may notify hundreds of accounts.
 */
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
