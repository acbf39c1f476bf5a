/** How many bytes of request bodies this process holds in memory, in total and per key. */
interface ByteLimits {
  total: number
  perKey: number
  /** Reserved for the first `firstBytes` of each body, so that large bodies do not lock out small ones. */
  reserve: number
  firstBytes: number
}

export interface BodyBytes {
  take(bytes: number): boolean
  /** Releases everything taken. Idempotent. */
  release(): void
}

interface ByteBudget {
  /** `isHeld: false` reserves no bytes but answers the same: discarded bodies must not be distinguishable. */
  open(keys: readonly string[], options: { isHeld: boolean }): BodyBytes
}

export function createByteBudget({ total, perKey, reserve, firstBytes }: ByteLimits): ByteBudget {
  const used = new Map<string, number>()
  let usedTotal = 0
  const add = (keys: readonly string[], bytes: number) => {
    usedTotal += bytes
    for (const key of keys) {
      const sum = (used.get(key) ?? 0) + bytes
      if (sum === 0) used.delete(key)
      else used.set(key, sum)
    }
  }
  return {
    open(keys, { isHeld }) {
      let taken = 0
      return {
        take(bytes) {
          const requested = isHeld ? bytes : taken + bytes
          const ceiling = taken + bytes > firstBytes ? total - reserve : total
          if (usedTotal + requested > ceiling || keys.some((key) => (used.get(key) ?? 0) + requested > perKey))
            return false
          taken += bytes
          if (isHeld) add(keys, bytes)
          return true
        },
        release() {
          if (isHeld) add(keys, -taken)
          taken = 0
        }
      }
    }
  }
}
