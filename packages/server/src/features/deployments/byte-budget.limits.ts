/** How many bytes of bodies are held in memory at once by this process, all together and for each of several keys. */
interface ByteLimits {
  total: number
  perKey: number
  /** Of the total, what only the first `firstBytes` of a body may use: a few large ones never keep the small ones out. */
  reserve: number
  firstBytes: number
}

/** What one body takes of the budget, as it comes. */
export interface BodyBytes {
  /** False where there is no room for them; nothing is taken then. */
  take(bytes: number): boolean
  /** Gives back what was taken, once, however often it is called. */
  release(): void
}

interface ByteBudget {
  /** `isHeld: false` asks as if it took bytes and takes none: for a body that is thrown away and shall not be told from others by that. */
  open(keys: readonly string[], options: { isHeld: boolean }): BodyBytes
}

export function createByteBudget({ total, perKey, reserve, firstBytes }: ByteLimits): ByteBudget {
  const used = new Map<string, number>()
  let usedInAll = 0
  const add = (keys: readonly string[], bytes: number) => {
    usedInAll += bytes
    for (const key of keys) {
      const sum = (used.get(key) ?? 0) + bytes
      if (sum === 0) used.delete(key)
      else used.set(key, sum)
    }
  }
  return {
    open(keys, { isHeld }) {
      let mine = 0
      return {
        take(bytes) {
          const requested = isHeld ? bytes : mine + bytes
          const ceiling = mine + bytes > firstBytes ? total - reserve : total
          if (usedInAll + requested > ceiling || keys.some((key) => (used.get(key) ?? 0) + requested > perKey))
            return false
          mine += bytes
          if (isHeld) add(keys, bytes)
          return true
        },
        release() {
          if (isHeld) add(keys, -mine)
          mine = 0
        }
      }
    }
  }
}
