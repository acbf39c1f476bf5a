/** Recipients that may be written to in an hour. */
export interface SendingLimits {
  mailbox: number
  domain: number
  account: number
}

/** Who sends. Each of them has an allowance of its own. */
export interface Sender {
  /** Undefined where nobody has logged in: an address that forwards. */
  mailbox: string | undefined
  domain: string
  /** Undefined where it is not known whose the domain is. */
  account: string | undefined
}

type Level = keyof SendingLimits

const hourMs = 3_600_000
const levels: readonly Level[] = ['mailbox', 'domain', 'account']

/**
 * Allowances of an hour that fill evenly: who has written nothing for long may use the whole of it at once. What is refused counts for nothing.
 * Kept in memory: after a start all are full, which is at most an hour's more.
 */
export function createSendingAllowances(limits: SendingLimits) {
  const used = new Map<string, { count: number; at: number }>()
  const usedOf = (key: string, limit: number, now: number) => {
    const entry = used.get(key)
    return entry ? Math.max(0, entry.count - ((now - entry.at) * limit) / hourMs) : 0
  }
  const forgetEmpty = (now: number) => {
    for (const [key, { at }] of used) if (now - at > hourMs) used.delete(key)
  }
  let sweptAt = -Infinity
  return {
    /** The allowance that does not suffice; undefined where all do, and then it is taken from them. */
    take(sender: Sender, recipients: number, now: number): Level | undefined {
      if (now - sweptAt > hourMs / 6) {
        forgetEmpty(now)
        sweptAt = now
      }
      const asked = levels.flatMap((level) => {
        const name = sender[level]
        return name === undefined ? [] : [{ level, key: `${level} ${name}`, limit: limits[level] }]
      })
      const short = asked.find(({ key, limit }) => usedOf(key, limit, now) + recipients > limit)
      if (short) return short.level
      for (const { key, limit } of asked) used.set(key, { count: usedOf(key, limit, now) + recipients, at: now })
      return undefined
    },
    /** How many names it remembers. */
    size: () => used.size
  }
}
