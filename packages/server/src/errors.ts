import { DrizzleQueryError } from 'drizzle-orm/errors'
import { type ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'

/**
 * The one error that features throw. `message` is shown to the caller; `cause` stays in the log.
 * The code decides the HTTP status (contract/errors.ts).
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorBody['details']
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: ErrorBody['details']; retryAfterSeconds?: number } = {}
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** The message of anything thrown, for a log line or a deployment's log. Drizzle's own carries the bound values: it is left out. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `a query failed: ${messageOf(error.cause ?? 'no reason')}`
  return error instanceof Error ? error.message : String(error)
}
