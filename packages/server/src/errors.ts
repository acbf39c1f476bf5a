import { codeOf } from '@panel/contract/details'
import { type ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'
import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { AdapterError, type AdapterErrorKind } from './infra/adapter-error.ts'
import { RepositoryError } from './infra/git/git.ts'

type Detail = NonNullable<ErrorBody['details']>[number]
/** A feature says what is wrong; its code follows from the words, where they are those of the contract. */
type GivenDetail = Pick<Detail, 'path' | 'message'> & Partial<Detail>

/**
 * The one error that features throw. `message` is shown to the caller; `cause` stays in the log.
 * The code decides the HTTP status (contract/errors.ts).
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorBody['details']
  /** What the message says by its codes, where it has some. */
  readonly sentences: readonly Sentence<FailureCode>[]
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    says: string | Sentence<FailureCode> | readonly Sentence<FailureCode>[],
    options: { cause?: unknown; details?: readonly GivenDetail[] | undefined; retryAfterSeconds?: number } = {}
  ) {
    const sentences = typeof says === 'string' ? [] : 'code' in says ? [says] : says
    super(
      typeof says === 'string' ? says : sentenceText(failureTexts, sentences),
      options.cause === undefined ? undefined : { cause: options.cause }
    )
    this.name = 'AppError'
    this.code = code
    this.sentences = sentences
    this.details = options.details?.map((detail) => ({ ...detail, code: detail.code ?? codeOf(detail.message) }))
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** What the API calls that which keeps an adapter from its work, where no feature knows more of it. */
const adapterErrorCodes: Readonly<Record<AdapterErrorKind, ErrorCode>> = {
  'container-engine-unavailable': 'CONTAINER_ENGINE_UNAVAILABLE',
  'database-admin-unavailable': 'DATABASE_ADMIN_UNAVAILABLE',
  'database-server-unavailable': 'DATABASE_SERVER_UNAVAILABLE',
  'mail-server-unavailable': 'MAIL_UNAVAILABLE',
  'name-server-unavailable': 'DNS_SERVER_UNAVAILABLE',
  'project-directories-unavailable': 'FILES_UNAVAILABLE',
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
  'statements-refused': 'WORDPRESS_IMPORT_FAILED'
}

/** What was thrown as the API says it; undefined for what nobody expected. */
export function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof AdapterError)
    return new AppError(
      adapterErrorCodes[error.kind],
      error instanceof RepositoryError ? error.sentences : error.sentence,
      {
        // With its reason, which is for the log alone.
        cause: error.reason === undefined ? error.cause : error
      }
    )
  return undefined
}

/** What keeps the store, or a disk, from its work, as the API says it; undefined for all else. */
export function asStoreError(error: unknown): AppError | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (diskFullCodes.includes(code))
    return new AppError('DISK_FULL', 'The disk of the server is full; an administrator must make room', {
      cause: error
    })
  const isNoSocket = code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect'
  return isNoSocket || storeUnavailableCodes.test(code) || storeUnavailableMessages.test(cause.message)
    ? new AppError('STORE_UNAVAILABLE', 'The store cannot be reached just now; try again', { cause: error })
    : undefined
}

// Of a file, or of the store: 53100.
const diskFullCodes = ['ENOSPC', 'EDQUOT', '53100']
// 57014: it took longer than a statement may; 57P0x: being shut down; 53300: out of connections; 08: the connection (08P01 is a statement of
// ours that makes no sense).
const storeUnavailableCodes = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|57014|57P0[1-3]|53300|08(?!P01)\w{3})$/
// Of the driver (pg), which has no codes for them.
const storeUnavailableMessages = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/
