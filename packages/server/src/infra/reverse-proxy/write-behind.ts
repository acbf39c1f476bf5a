interface WriteBehind {
  follow(): void
  flush(): Promise<void>
}

/** Durably writing 10,000 lines takes longer than the rest of a change, so bursts share one write. */
const writeAfterMs = 100

/**
 * @param write must check whether there is anything to write
 * @param alone lock for delayed writes; callers of flush already hold it
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
        // Stays pending; the next sync reports the error.
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
