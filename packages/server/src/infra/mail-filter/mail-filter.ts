/** What a domain wants done with mail for it. */
export interface FilterSettings {
  /** In lower case, A-labels. */
  domain: string
  isEnabled: boolean
  /** Points from which on a message goes to Junk. */
  junkScore: number
  /** Points from which on it is refused. */
  refuseScore: number
  /** Whether mail that looks a little like spam has to come twice. */
  isGreylisting: boolean
  /** Addresses and domains, in lower case. */
  allow: readonly string[]
  deny: readonly string[]
}

/** A message of who has logged in, which the filter has held in the queue. */
export interface HeldMessage {
  /** Of the queue. */
  id: string
  login: string
  score: number
  /** What made most of the score, by the filter's own names. */
  symbols: readonly string[]
  /** It is no spam by itself: held since so much else of the log-in was. */
  isFlood: boolean
}

export interface HeldNote {
  id: string
  isNotified: boolean
  notedAt: Date
}

/**
 * What looks whether mail is spam (Rspamd). Methods that write settings work without it; they count from the next message on. Mail goes on where
 * it does not answer.
 */
export interface MailFilter {
  /** Whether the filter, or what it remembers with, answers. Rejects where it does not. */
  ping(part: 'filter' | 'store'): Promise<void>
  /** Replaces all that it knows of the domain, and of no other. */
  putSettings(settings: FilterSettings): Promise<void>
  /** The domain is treated as those without settings are. */
  removeSettings(domain: string): Promise<void>
  /** Domains that have settings. */
  listDomains(): Promise<readonly string[]>
  /** Why these messages are held; those of which it is not known are left out. */
  readHeld(ids: readonly string[]): Promise<ReadonlyMap<string, HeldMessage>>
  /** Notes of why messages are held, the oldest first: some of them. They stay when a message is released or deleted. */
  listHeld(limit: number): Promise<readonly HeldNote[]>
  /** Its owner knows of it. */
  markNotified(id: string): Promise<void>
  forgetHeld(id: string): Promise<void>
}
