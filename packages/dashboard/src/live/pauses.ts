/** How long to wait before the next try: twice as long each time, until something comes of one. */
export function createPauses(leastMs: number, mostMs: number) {
  let next = leastMs
  return {
    next(): number {
      const now = next
      next = Math.min(mostMs, now * 2)
      return now
    },
    reset(): void {
      next = leastMs
    }
  }
}
export type Pauses = ReturnType<typeof createPauses>

/** Of what the channel or the API refuses to tell. */
export const createLogPauses = (): Pauses => createPauses(1_000, 15_000)
