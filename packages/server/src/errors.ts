import { codeOf } from '@panel/contract/details'
import { type ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { AdapterError, type AdapterErrorKind, explain } from './infra/adapter-error.ts'
import { type ErrorSentence, readSays, type Says } from './text/error-texts.ts'

type Detail = NonNullable<ErrorBody['details']>[number]
/** The code of a detail is derived from its message if that is a text of the contract. */
type GivenDetail = Pick<Detail, 'path' | 'message'> & Partial<Detail>

/**
 * How an error gets its code, from adapter to response:
 *
 * 1. An adapter rejects with AdapterError, whose `kind` says what failed (infra/adapter-error.ts). It knows no API
 * codes.
 * 2. A feature throws AppError with a code of contract/errors.ts, which determines the HTTP status. It handles an
 * adapter error by its `kind` only if it knows more about it.
 * 3. asAppError maps all other AdapterErrors by `adapterErrorCodes`, and asStoreError errors of the database driver.
 * 4. http/errors.ts (toAppError, sendError) creates the response, for HTTP and the live channel. Anything else is 500
 * INTERNAL and is logged.
 *
 * Both classes take the same `says` (text, or codes that the dashboard translates), and both cross from the worker to
 * the web process unchanged (worker/worker-errors.ts). Add a kind or a code instead of another class.
 */

/** The only error that features throw. `says` is shown to the caller; `cause` is only logged. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorBody['details']
  readonly sentences: readonly ErrorSentence[]
  readonly outage: Outage | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    says: Says,
    options: {
      cause?: unknown
      details?: readonly GivenDetail[] | undefined
      retryAfterSeconds?: number
      reason?: string | undefined
      remedy?: RemedyCode | undefined
    } = {}
  ) {
    const { text, sentences } = readSays(says)
    super(text, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.sentences = sentences
    this.details = options.details?.map((detail) => ({ ...detail, code: detail.code ?? codeOf(detail.message) }))
    this.retryAfterSeconds = options.retryAfterSeconds
    this.outage = isOutage(code)
      ? { reason: options.reason ?? explain(options.cause ?? ''), remedy: options.remedy ?? remedies[code] }
      : undefined
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

interface Outage {
  reason: string | undefined
  remedy: RemedyCode
}

type OutageCode = Extract<ErrorCode, `${string}_UNAVAILABLE`>
const isOutage = (code: ErrorCode): code is OutageCode => code.endsWith('_UNAVAILABLE')

const remedies: Readonly<Record<OutageCode, RemedyCode>> = {
  CONTAINER_ENGINE_UNAVAILABLE: 'START_ENGINE',
  REVERSE_PROXY_UNAVAILABLE: 'RUN_UP_OR_ASK',
  DNS_SERVER_UNAVAILABLE: 'RUN_UP_OR_ASK',
  MAIL_UNAVAILABLE: 'RUN_UP_OR_ASK',
  STORE_UNAVAILABLE: 'CHECK_STORE',
  WORKER_UNAVAILABLE: 'RESTART_WORKER',
  DATABASE_SERVER_UNAVAILABLE: 'RUN_UP_OR_ASK',
  DATABASE_ADMIN_UNAVAILABLE: 'RUN_UP_OR_ASK',
  FILES_UNAVAILABLE: 'CHECK_PROJECTS_DIR',
  FIREWALL_UNAVAILABLE: 'CHECK_NFTABLES',
  SFTP_UNAVAILABLE: 'RUN_UP_OR_CHECK_SFTP',
  NODE_UNAVAILABLE: 'CHECK_MACHINE'
}

export function outageMessage({ message, outage }: AppError): string {
  const parts = [message, outage?.reason, outage && remedyTexts[outage.remedy]]
  return parts.flatMap((part) => (part === undefined ? [] : part.replace(/[.;]$/, ''))).join('. ')
}

/** Codes for adapter errors that no feature handles. INTERNAL: unhandled, it is a bug, and its text is not shown. */
const adapterErrorCodes: Readonly<Record<AdapterErrorKind, ErrorCode>> = {
  'backup-target-unavailable': 'BACKUP_TARGET_UNREACHABLE',
  'container-engine-unavailable': 'CONTAINER_ENGINE_UNAVAILABLE',
  'database-admin-unavailable': 'DATABASE_ADMIN_UNAVAILABLE',
  'database-server-unavailable': 'DATABASE_SERVER_UNAVAILABLE',
  'database-dump-failed': 'DATABASE_SERVER_UNAVAILABLE',
  'firewall-unavailable': 'FIREWALL_UNAVAILABLE',
  'mail-server-unavailable': 'MAIL_UNAVAILABLE',
  'name-server-unavailable': 'DNS_SERVER_UNAVAILABLE',
  'node-unavailable': 'NODE_UNAVAILABLE',
  'project-directories-unavailable': 'FILES_UNAVAILABLE',
  'registry-refused': 'REGISTRY_UNREACHABLE',
  'repository-private': 'GIT_UNREACHABLE',
  'repository-unavailable': 'GIT_UNREACHABLE',
  'reverse-proxy-unavailable': 'REVERSE_PROXY_UNAVAILABLE',
  'session-store-unavailable': 'STORE_UNAVAILABLE',
  'sftp-unavailable': 'SFTP_UNAVAILABLE',
  'archive-invalid': 'ARCHIVE_INVALID',
  'directory-into-itself': 'VALIDATION_ERROR',
  'file-changed': 'FILE_CHANGED',
  'file-exists': 'FILE_ALREADY_EXISTS',
  'file-not-found': 'NOT_FOUND',
  'name-too-long': 'VALIDATION_ERROR',
  'not-a-directory': 'NOT_A_DIRECTORY',
  'not-a-file': 'NOT_A_FILE',
  'path-forbidden': 'PATH_FORBIDDEN',
  'path-protected': 'PATH_PROTECTED',
  'too-large': 'PAYLOAD_TOO_LARGE',
  'too-many-open-files': 'BUSY',
  'disk-full': 'DISK_FULL',
  'revision-invalid': 'VALIDATION_ERROR',
  'database-name-exists': 'DATABASE_NAME_EXISTS',
  'statements-refused': 'WORDPRESS_IMPORT_FAILED',
  'build-refused': 'INTERNAL',
  'container-engine-refused': 'INTERNAL',
  'database-refused': 'INTERNAL'
}

export function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (!(error instanceof AdapterError)) return undefined
  const code = adapterErrorCodes[error.kind]
  if (code === 'INTERNAL') return undefined
  const { cause, explanation, reason, remedy, sentence, sentences } = error
  // With a reason, the whole error is the cause, because the log shows the reason in its message.
  return new AppError(code, sentences.length > 0 ? sentences : sentence, {
    cause: reason === undefined ? cause : error,
    reason: explanation,
    remedy
  })
}

/** Converts a database outage, a full disk or text that cannot be stored for the API; undefined for anything else. */
export function asStoreError(error: unknown): AppError | undefined {
  if (error instanceof AdapterError && asAppError(error)) return undefined // It has a code, whatever its cause is.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (diskFullCodes.includes(code))
    return new AppError('DISK_FULL', 'The disk of the server is full. Ask an administrator to free up space.', {
      cause: error
    })
  if (notStorableCodes.includes(code))
    return new AppError('VALIDATION_ERROR', 'The request contains a null character (U+0000)', { cause: error })
  const isNoSocket = code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect'
  return isNoSocket || storeUnavailableCodes.test(code) || storeUnavailableMessages.test(cause.message)
    ? new AppError('STORE_UNAVAILABLE', 'The panel database is unavailable. Try again.', { cause: error })
    : undefined
}

const diskFullCodes = ['ENOSPC', 'EDQUOT', '53100']
// PostgreSQL accepts no null character in text (22021) and JSON (22P05).
const notStorableCodes = ['22021', '22P05']
// 57014: statement timeout; 57P0x: shutting down; 53300: out of connections; 08: connection errors (08P01 is a protocol
// violation, a bug of ours).
const storeUnavailableCodes = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|57014|57P0[1-3]|53300|08(?!P01)\w{3})$/
const storeUnavailableMessages = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/
