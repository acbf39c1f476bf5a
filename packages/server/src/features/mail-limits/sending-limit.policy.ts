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

/** What a message takes of the allowances of one who sends it on. */
export interface Charge {
  sender: Sender
  recipients: number
}

type Level = keyof SendingLimits

type HourlySettings = Record<`MAIL_HOURLY_${Uppercase<Level>}`, number>

/** As they are each time that they are looked at: they are changed while the panel runs. */
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

/** The allowance that does not suffice. */
export interface Shortage {
  level: Level
  limit: number
  /** The message alone asks for more, however long its sender waits. */
  isNever: boolean
  /** The charge by which it is asked. */
  index: number
}

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
    /** What does not suffice for them; nothing is taken. */
    lacks: (charges: readonly Charge[], now: number): Shortage | undefined => weigh(charges, now).short,
    /** Takes the charges of one message, all or none; what does not suffice for them. */
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
    /** How many names it remembers. */
    size: () => used.size
  }
}
