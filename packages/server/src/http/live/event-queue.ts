interface Taken<Event> {
  take(event: Event): void
  /** Of one that could not be handed on: the others are. */
  onError(error: unknown): void
}

/** Hands on what comes, in its order, so many in a turn of the event loop: one commit may tell hundreds of accounts, and nobody waits for all of that. */
export function createEventQueue<Event>(perTurn: number, { take, onError }: Taken<Event>): (event: Event) => void {
  const waiting: Event[] = []
  let isTurning = false
  const turn = () => {
    for (const event of waiting.splice(0, perTurn)) {
      try {
        take(event)
      } catch (error) {
        onError(error)
      }
    }
    isTurning = waiting.length > 0
    if (isTurning) setImmediate(turn)
  }
  return (event) => {
    waiting.push(event)
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }
}
