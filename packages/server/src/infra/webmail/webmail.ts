import { ownAddress } from '../own-container/own-addresses.ts'
import { listenPort } from './roundcube-files.render.ts'

/** Webmail, run by the panel. Users log in with their mailbox password. */
export interface Webmail {
  /** Starts or updates the container. Idempotent. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /**
   * Time of the last webmail login per mailbox; those without one are omitted. Rejects with WebmailQueryError if the
   * database does not respond within seconds.
   */
  lastLogins(addresses: readonly string[]): Promise<ReadonlyMap<string, Date>>
  /** Stops it; user data is kept. Idempotent. */
  remove(): Promise<void>
}

/** The message is shown to users. */
export class WebmailQueryError extends Error {
  override readonly name = 'WebmailQueryError'
}

export const webmailEndpoint = (network: { subnet: string }): { address: string; port: number } => ({
  address: ownAddress('webmail', network),
  port: listenPort
})
