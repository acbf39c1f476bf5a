/** Bytes that one direction may have in flight, so that a slow reader bounds the memory in between. */
export function createWindow(size: number) {
  let used = 0
  let wake: (() => void) | undefined
  return {
    /** Takes room, or returns false if there is none. More than the window in one piece is never taken. */
    take(bytes: number): boolean {
      if (used + bytes > size) return false
      used += bytes
      return true
    },
    /** Gives back room. Never below zero, whatever the other side claims. */
    give(bytes: number): void {
      used = Math.max(0, used - bytes)
      wake?.()
    },
    /** Resolves at the next `give`, or when the signal aborts. */
    async change(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        wake = () => {
          signal.removeEventListener('abort', wake!)
          resolve()
        }
        signal.addEventListener('abort', wake, { once: true })
      })
    }
  }
}
