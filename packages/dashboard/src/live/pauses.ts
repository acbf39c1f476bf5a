/** Exponential backoff: doubles each time until `reset`. */
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

export const createLogPauses = (): Pauses => createPauses(1_000, 15_000)
