import { request } from 'node:http'
import { pipeline } from 'node:stream'
import { AdapterError } from '../adapter-error.ts'
import type { DatabaseAdminAnswer, DatabaseAdminRequest } from './database-admin.ts'

/** Idle timeout in both directions; the reverse proxy in front of the panel waits no longer. */
const idleLimitMs = 120_000

export interface HttpUpstream {
  host: string
  port: number
  secret: string
}

export function requestUpstream(
  { host, port, secret }: HttpUpstream,
  { method, path, headers, body, signal }: DatabaseAdminRequest
): Promise<DatabaseAdminAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host,
      port,
      method,
      path,
      headers: { ...headers, 'x-panel-secret': secret },
      agent: false,
      timeout: idleLimitMs,
      signal
    })
    outgoing.once('response', (answer) =>
      resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: answer })
    )
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no byte within ${idleLimitMs / 1000} s`)))
    outgoing.on('error', (cause) => reject(unavailable(cause)))
    if (body) {
      // Registered first: pipeline() only reports an aborted request, not the body's own error.
      body.once('error', reject)
      pipeline(body, outgoing, (error) => {
        if (error) outgoing.destroy()
      })
    } else outgoing.end()
  })
}

export const unavailable = (cause?: unknown): AdapterError =>
  new AdapterError('database-admin-unavailable', 'Adminer is not responding. Try again in a minute.', {
    cause
  })
