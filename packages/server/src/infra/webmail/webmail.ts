import { ownAddress } from '../own-container/own-addresses.ts'
import { listenPort } from './roundcube-files.render.ts'

/** The webmail: a program of the panel's own, at which people log in with the password of a mailbox. */
export interface Webmail {
  /** Sees to it that it runs, and as this panel wants it. Safe to repeat. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /**
   * When somebody last logged in to each of these mailboxes by it, by address; mailboxes without a log-in are left out. Rejects with
   * WebmailQueryError where its database cannot be asked, or does not answer within seconds.
   */
  lastLogins(addresses: readonly string[]): Promise<ReadonlyMap<string, Date>>
  /** Ends it; what people keep in it stays. Resolves also when it is gone. */
  remove(): Promise<void>
}

/** Its message is for a person. */
export class WebmailQueryError extends Error {
  override readonly name = 'WebmailQueryError'
}

/** Where it is reached on the panel's network. */
export const webmailEndpoint = (network: { subnet: string }): { address: string; port: number } => ({
  address: ownAddress('webmail', network),
  port: listenPort
})
