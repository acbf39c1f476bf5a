/** A wait that can be cut short. One at a time. */
interface Pause {
  for(ms: number): Promise<void>
  /** Ends the wait that is under way; without one it does nothing. */
  wake(): void
}

export function createPause(): Pause {
  let end = () => {}
  return {
    for: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end(), ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: () => end()
  }
}
