import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** Maximum request body, imports included; Adminer holds it in memory. */
export const maxRequestBytes = 32 * 2 ** 20

/** A request of a signed-in user, passed on unchanged. */
export interface DatabaseAdminRequest {
  method: string
  /** Including the query string. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Readable | undefined
  /** Fires when the client is gone. */
  signal: AbortSignal
}

export interface DatabaseAdminAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

/** The web database administration (Adminer), reachable only through the panel. */
export interface DatabaseAdmin {
  /** Ensures that it runs with the current image, settings and database addresses. Idempotent. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /**
   * Resolves with the response head; the body streams. Rejects with AdapterError database-admin-unavailable when it is
   * not up or does not respond, and with the request body's error when that breaks off.
   */
  request(request: DatabaseAdminRequest): Promise<DatabaseAdminAnswer>
  /** Idempotent. */
  remove(): Promise<void>
}
