/** A `set()` with no waiter is remembered; the next `wait()` resolves immediately. */
export interface AutoResetEvent {
  set(): void
  wait(signal: AbortSignal): Promise<void>
}

export function createAutoResetEvent(): AutoResetEvent {
  let isDue = false
  let resume: (() => void) | undefined
  return {
    set() {
      isDue = true
      resume?.()
    },
    async wait(signal) {
      signal.throwIfAborted()
      if (!isDue)
        await new Promise<void>((resolve, reject) => {
          const abort = () => reject(signal.reason as Error)
          signal.addEventListener('abort', abort, { once: true })
          resume = () => {
            signal.removeEventListener('abort', abort)
            resolve()
          }
        })
      resume = undefined
      isDue = false
    }
  }
}
