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
