export interface FilterSettings {
  /** Lower case, A-labels. */
  domain: string
  isEnabled: boolean
  /** Score from which messages go to Junk. */
  junkScore: number
  /** Score from which messages are rejected. */
  refuseScore: number
  isGreylisting: boolean
  /** Addresses and domains, lower case. */
  allow: readonly string[]
  deny: readonly string[]
}

/** A message of an authenticated sender that the filter put on hold. */
export interface HeldMessage {
  /** Queue id. */
  id: string
  login: string
  score: number
  /** Rspamd symbols that contributed most to the score. */
  symbols: readonly string[]
  /** Not spam itself: held because the sender sent too much other spam. */
  isFlood: boolean
}

export interface HeldNote {
  id: string
  isNotified: boolean
  notedAt: Date
}

/** The spam filter (Rspamd). Methods for settings work while it is down; changes apply from the next message. */
export interface MailFilter {
  /** Rejects if Rspamd or its Redis is not responding. */
  ping(part: 'filter' | 'store'): Promise<void>
  /** Replaces the settings of the domain. */
  putSettings(settings: FilterSettings): Promise<void>
  /** The domain uses the defaults again. */
  removeSettings(domain: string): Promise<void>
  listDomains(): Promise<readonly string[]>
  /** Why messages are held; those without a note are omitted. */
  readHeld(ids: readonly string[]): Promise<ReadonlyMap<string, HeldMessage>>
  /** Notes on held messages, up to `limit`, oldest first. They remain after a message is released or deleted. */
  listHeld(limit: number): Promise<readonly HeldNote[]>
  /** The owner has been notified. */
  markNotified(id: string): Promise<void>
  forgetHeld(id: string): Promise<void>
}
