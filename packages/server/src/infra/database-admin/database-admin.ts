import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** Of the body of a request, so also of an import: the program holds it in memory. */
export const maxRequestBytes = 32 * 2 ** 20

/** A request of a person who is signed in, to be passed on as it is. */
export interface DatabaseAdminRequest {
  method: string
  /** With the query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Readable | undefined
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface DatabaseAdminAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

/** The web administration of databases: a program of the panel's own, which answers nobody but the panel. */
export interface DatabaseAdmin {
  /** Sees to it that it runs, and as this panel wants it: image, settings, addresses of the database servers. Safe to repeat. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /**
   * Resolves with the head of the answer; its body streams. Rejects with AdapterError database-admin-unavailable when it is not there yet or
   * does not answer, and with the error of the request's body when that breaks off.
   */
  request(request: DatabaseAdminRequest): Promise<DatabaseAdminAnswer>
  /** Ends it. Resolves also when it is gone. */
  remove(): Promise<void>
}
