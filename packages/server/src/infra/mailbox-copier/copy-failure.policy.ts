import type { CopyOutcome, CopyProblem } from './mailbox-copier.ts'

/** A failure with a known cause. */
export class CopyFailure extends Error {
  readonly problem: CopyProblem
  readonly detail: string | undefined

  constructor(problem: CopyProblem, detail?: string) {
    super(problem)
    this.problem = problem
    this.detail = detail
  }
}

/** Error of ImapFlow. */
interface ImapError {
  code?: unknown
  authenticationFailed?: unknown
  tlsFailed?: unknown
  responseStatus?: unknown
  responseText?: unknown
  serverResponseCode?: unknown
}

const certificateCodes =
  /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|HOSTNAME_MISMATCH|ERR_TLS_INVALID)/
const tlsCodes = /^(ERR_SSL|EPROTO|STARTTLS_INJECTION)/
const tooMuch = new Set([
  'LiteralTooLarge',
  'LineTooLarge',
  'ResponseTooLarge',
  'DownloadOverflow',
  'MAX_IMAP_NESTING_REACHED',
  'ERR_BUFFER_TOO_LARGE'
])
/** Response codes of temporary login failures (RFC 5530). */
const passing = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG'])

/** Classifies an error of the connection to the source. */
export function sourceOutcome(error: unknown): CopyOutcome {
  if (error instanceof CopyFailure) return withDetail(error.problem, error.detail)
  const found = (typeof error === 'object' && error !== null ? error : {}) as ImapError
  const code = typeof found.code === 'string' ? found.code : ''
  if (certificateCodes.test(code)) return withDetail('certificate-refused', code)
  if (tlsCodes.test(code)) return withDetail('no-tls', code)
  if (found.tlsFailed === true) return withDetail('no-tls', undefined)
  if (found.authenticationFailed === true && !passing.has(String(found.serverResponseCode)))
    return withDetail('log-in-refused', textOf(found))
  if (tooMuch.has(code) || error instanceof RangeError) return withDetail('source-misbehaves', code || undefined)
  return withDetail('connection-lost', textOf(found) ?? code)
}

/** Classifies an error of our own server. */
export function targetOutcome(error: unknown): CopyOutcome {
  const found = (typeof error === 'object' && error !== null ? error : {}) as ImapError
  const isFull = found.serverResponseCode === 'OVERQUOTA' || /quota/i.test(textOf(found) ?? '')
  return withDetail(isFull ? 'mailbox-full' : 'mail-server-unavailable', textOf(found))
}

const textOf = ({ responseText }: ImapError): string | undefined =>
  typeof responseText === 'string' ? responseText : undefined

function withDetail(problem: CopyProblem, detail: string | undefined): CopyOutcome {
  const line = plainLine(detail ?? '')
  return line === '' ? { problem } : { problem, detail: line }
}

/** Untrusted text as a single line for messages and logs. */
export const plainLine = (text: string): string =>
  text
    .slice(0, 1_000)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed()
