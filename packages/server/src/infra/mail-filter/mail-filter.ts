export interface FilterSettings {
  /** Lower case, A-labels. */
  domain: string
  isEnabled: boolean
  junkScore: number
  refuseScore: number
  isGreylisting: boolean
  allow: readonly string[]
  deny: readonly string[]
}

/** A message of an authenticated sender that the filter put on hold. */
export interface HeldMessage {
  id: string
  login: string
  score: number
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
  ping(part: 'filter' | 'store'): Promise<void>
  putSettings(settings: FilterSettings): Promise<void>
  removeSettings(domain: string): Promise<void>
  listDomains(): Promise<readonly string[]>
  /** Why messages are held; those without a note are omitted. */
  readHeld(ids: readonly string[]): Promise<ReadonlyMap<string, HeldMessage>>
  /** Notes on held messages, up to `limit`, oldest first. They remain after a message is released or deleted. */
  listHeld(limit: number): Promise<readonly HeldNote[]>
  markNotified(id: string): Promise<void>
  forgetHeld(id: string): Promise<void>
}
