import type { BanService } from '@panel/contract/bans'

export interface Guess {
  /** An IPv4 address or the /64 of an IPv6 address. */
  address: string
  service: BanService
  /** Tells guesses apart: repeats of one count once. Without it, each counts. */
  guess?: string
  /** Default 1. */
  weight?: number
}

interface GuessLimit {
  /** Failed sign-ins that point to a ban. */
  limit: number
  windowMs: number
}

const minute = 60_000

/** Weights of requests to WordPress. xmlrpc.php does not tell a right password from a wrong one, and apps use it a lot. */
export const wordpressWeights = { failed: 5, xmlrpc: 1 } as const

const guessLimits: Readonly<Record<BanService, GuessLimit>> = {
  // Longer, because AUTH_RATE_LIMIT_MAX allows few attempts at a time.
  PANEL: { limit: 10, windowMs: 60 * minute },
  SSH: { limit: 10, windowMs: 10 * minute },
  SFTP: { limit: 10, windowMs: 10 * minute },
  // Above what closes a mailbox to a network (mail-limits/log-in-brake.policy.ts), which is the first answer.
  SMTP: { limit: 20, windowMs: 10 * minute },
  IMAP: { limit: 20, windowMs: 10 * minute },
  WORDPRESS: { limit: 100, windowMs: 10 * minute }
}

const maxEntries = 50_000

/** Counts failed sign-ins by address and service. In memory: a restart clears it, and the bans are in the store. */
export function createGuessCount(limits: Readonly<Record<BanService, GuessLimit>> = guessLimits) {
  const entries = new Map<string, { since: number; count: number; seen: Set<string> }>()
  return {
    /** Returns the number of attempts when they are enough for a ban, and starts again. */
    add({ address, service, guess, weight = 1 }: Guess, now: number): number | undefined {
      const key = `${service} ${address}`
      const { limit, windowMs } = limits[service]
      const found = entries.get(key)
      const entry = found && now - found.since < windowMs ? found : { since: now, count: 0, seen: new Set<string>() }
      // Moves to the end: the oldest is evicted first.
      entries.delete(key)
      if (guess === undefined || !entry.seen.has(guess)) entry.count += weight
      if (guess !== undefined) entry.seen.add(guess)
      if (entry.count >= limit) return entry.count
      entries.set(key, entry)
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!)
      return undefined
    },
    size: () => entries.size
  }
}
