/** What waits for a change of which it is told. A call while nobody waits is not lost: the next wait ends at once. */
export interface WakeUp {
  wake(): void
  /** Rejects with the reason of the signal. */
  wait(signal: AbortSignal): Promise<void>
}

export function createWakeUp(): WakeUp {
  let isDue = false
  let resume: (() => void) | undefined
  return {
    wake() {
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
