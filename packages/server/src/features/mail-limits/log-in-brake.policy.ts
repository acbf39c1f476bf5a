/** Login attempt at the mail servers. */
export interface LogIn {
  login: string
  /** IPv4 address or IPv6 prefix of the client. */
  network: string
  /** Short hash, only to tell passwords apart. */
  passwordHash: string
}

export interface LogInLimits {
  /** Distinct wrong passwords per mailbox and network. */
  ofMailbox: number
  /** Distinct wrong passwords per network, over all mailboxes. */
  ofNetwork: number
  /** Counting window, and maximum duration of a block. */
  windowMs: number
  /** Password checks per minute, mailbox and network, right or wrong: hashing is expensive. */
  perMinute: number
  /** How long a network counts as trusted for a mailbox after a successful login. */
  knownMs: number
}

const logInLimits: LogInLimits = {
  ofMailbox: 10,
  ofNetwork: 100,
  windowMs: 10 * 60_000,
  perMinute: 120,
  knownMs: 30 * 24 * 3_600_000
}

const maxEntries = 50_000

/**
 * Brute-force protection. Repeats of one wrong password count once, so that a phone with an old password does not block
 * its owner. A blocked network still reaches mailboxes that it logged in to before; other networks are unaffected. In
 * memory: a restart clears it.
 */
export function createLogInBrake(limits: LogInLimits = logInLimits) {
  const wrong = new Map<string, { since: number; seen: Set<string> }>()
  const knownAt = new Map<string, number>()
  const requested = new Map<string, { since: number; count: number }>()
  const pairOf = ({ login, network }: LogIn) => `${network} ${login}`
  const countOf = (key: string, now: number): number => {
    const entry = wrong.get(key)
    return entry && now - entry.since < limits.windowMs ? entry.seen.size : 0
  }
  const count = (key: string, password: string, limit: number, now: number) => {
    const entry = countOf(key, now) > 0 ? wrong.get(key)! : { since: now, seen: new Set<string>() }
    if (entry.seen.size < limit) entry.seen.add(password)
    remember(wrong, key, entry)
  }
  return {
    isOpen(logIn: LogIn, now: number): boolean {
      const pair = pairOf(logIn)
      if (countOf(pair, now) >= limits.ofMailbox) return false
      return countOf(logIn.network, now) < limits.ofNetwork || now - (knownAt.get(pair) ?? -Infinity) < limits.knownMs
    },
    /** Counts a password check; false if over the limit. Webmail logs in for every page, from its user's network. */
    take(logIn: LogIn, now: number): boolean {
      const pair = pairOf(logIn)
      const found = requested.get(pair)
      if (found && now - found.since < 60_000) return ++found.count <= limits.perMinute
      if (requested.size >= maxEntries) requested.clear()
      requested.set(pair, { since: now, count: 1 })
      return true
    },
    notifyOwner(logIn: LogIn, isRight: boolean, now: number): void {
      const pair = pairOf(logIn)
      if (isRight) {
        wrong.delete(pair)
        remember(knownAt, pair, now)
        return
      }
      count(pair, logIn.passwordHash, limits.ofMailbox, now)
      count(logIn.network, `${logIn.passwordHash} ${logIn.login}`, limits.ofNetwork, now)
    },
    size: () => wrong.size + knownAt.size + requested.size
  }
}

/** Moves the key to the end; evicts the oldest entry when full. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxEntries) map.delete(map.keys().next().value!)
}
