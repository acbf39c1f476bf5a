import { ownAddress } from '../own-container/own-addresses.ts'
import { listenPort } from './roundcube-files.render.ts'

export interface Webmail {
  /** Starts or updates the container. Idempotent. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /** Omits mailboxes without a login. Rejects with WebmailQueryError if the database does not respond. */
  lastLogins(addresses: readonly string[]): Promise<ReadonlyMap<string, Date>>
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
