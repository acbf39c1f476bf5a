/** Recipients per hour. */
export interface SendingLimits {
  mailbox: number
  domain: number
  account: number
}

/** Each level has its own allowance. */
export interface Sender {
  /** Undefined for forwarded mail. */
  mailbox: string | undefined
  domain: string
  /** Undefined if the owner is unknown. */
  account: string | undefined
}

/** Cost of a message for one sender. */
export interface Charge {
  sender: Sender
  recipients: number
}

type Level = keyof SendingLimits

type HourlySettings = Record<`MAIL_HOURLY_${Uppercase<Level>}`, number>

/** Getters, because the settings can change while the panel runs. */
export const hourlyLimits = (config: HourlySettings): SendingLimits => ({
  get mailbox() {
    return config.MAIL_HOURLY_MAILBOX
  },
  get domain() {
    return config.MAIL_HOURLY_DOMAIN
  },
  get account() {
    return config.MAIL_HOURLY_ACCOUNT
  }
})

/** An exhausted allowance. */
export interface Shortage {
  level: Level
  limit: number
  /** The message alone exceeds the limit, so retrying cannot succeed. */
  isNever: boolean
  /** Index of the charge that exceeds it. */
  index: number
}

const hourMs = 3_600_000
const levels: readonly Level[] = ['mailbox', 'domain', 'account']

/**
 * Token buckets that refill evenly over an hour. Rejected charges cost nothing. In memory: after a restart all are
 * full, which allows at most one extra hour's volume.
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
  const weigh = (charges: readonly Charge[], now: number) => {
    const requested = new Map<string, number>()
    const short: Shortage[] = []
    for (const [index, { sender, recipients }] of charges.entries())
      for (const level of levels) {
        const [name, limit] = [sender[level], limits[level]]
        if (name === undefined) continue
        const key = `${level} ${name}`
        const count = (requested.get(key) ?? 0) + recipients
        requested.set(key, count)
        if (usedOf(key, limit, now) + count > limit) short.push({ level, limit, isNever: count > limit, index })
      }
    return { requested, short: short.find(({ isNever }) => isNever) ?? short[0] }
  }
  let sweptAt = -Infinity
  return {
    /** The shortage, without taking anything. */
    lacks: (charges: readonly Charge[], now: number): Shortage | undefined => weigh(charges, now).short,
    /** Takes all charges of a message, or none and returns the shortage. */
    take(charges: readonly Charge[], now: number): Shortage | undefined {
      if (now - sweptAt > hourMs / 6) {
        forgetEmpty(now)
        sweptAt = now
      }
      const { requested, short } = weigh(charges, now)
      if (short) return short
      for (const [key, count] of requested) {
        const limit = limits[key.slice(0, key.indexOf(' ')) as Level]
        used.set(key, { count: usedOf(key, limit, now) + count, at: now })
      }
      return undefined
    },
    size: () => used.size
  }
}
