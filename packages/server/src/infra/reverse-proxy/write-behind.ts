/** Writes a file that follows what runs. */
interface WriteBehind {
  /** Has it written soon, together with what comes until then. */
  follow(): void
  /** Writes it now. */
  flush(): Promise<void>
}

/** To write 10,000 lines durably takes longer than all else of a change: a burst of them shares one write. */
const writeAfterMs = 100

/**
 * @param write finds out by itself whether there is anything to write
 * @param alone for a write that nobody waits for; who asks for one is alone already
 */
export function createWriteBehind(
  write: () => Promise<void>,
  alone: (work: () => Promise<void>) => Promise<void> = (work) => work()
): WriteBehind {
  let timer: NodeJS.Timeout | undefined
  return {
    follow() {
      timer ??= setTimeout(() => {
        timer = undefined
        // What cannot be written stays to be written, and the next sync says why.
        void alone(write).catch(() => {})
      }, writeAfterMs)
    },
    flush() {
      clearTimeout(timer)
      timer = undefined
      return write()
    }
  }
}
