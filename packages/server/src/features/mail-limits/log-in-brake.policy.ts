/** Somebody at the door of the mail servers. */
export interface LogIn {
  login: string
  /** The client's network: what one customer holds. */
  network: string
  /** Tells one password from another, and no more. */
  passwordHash: string
}

export interface LogInLimits {
  /** Different wrong passwords for one mailbox, from one network. */
  ofMailbox: number
  /** The same for all mailboxes together. */
  ofNetwork: number
  /** For which they are counted, and the way in is closed at most. */
  windowMs: number
  /** Passwords that are looked at in a minute for one mailbox from one network, right or wrong: each costs what its hash costs. */
  perMinute: number
  /** For which a network that a mailbox was opened from is known to be its owner's. */
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
 * Closes the door to who guesses. Wrong passwords count once each: a telephone that goes on with an old one locks nobody out. Where others
 * of the same network guess, the mailboxes that were opened from there before go on; so do all from other networks, whoever guesses.
 * Kept in memory: after a start everything is open.
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
    /** Counts one more password that is to be looked at; false of one too many. Webmail logs in for each of its pages, from its user's network. */
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
    /** How many entries it holds. */
    size: () => wrong.size + knownAt.size + requested.size
  }
}

/** As the newest; the oldest goes where there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxEntries) map.delete(map.keys().next().value!)
}
