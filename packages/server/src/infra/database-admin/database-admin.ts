import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

export const maxRequestBytes = 32 * 2 ** 20

export interface DatabaseAdminRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Readable | undefined
  signal: AbortSignal
}

export interface DatabaseAdminAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

export interface DatabaseAdmin {
  /** Ensures that it runs with the current image, settings and database addresses. Idempotent. */
  ensure(options: { log: (line: string) => void; signal: AbortSignal }): Promise<void>
  /** Resolves with the response head. Rejects with database-admin-unavailable or the request body's error. */
  request(request: DatabaseAdminRequest): Promise<DatabaseAdminAnswer>
  remove(): Promise<void>
}
