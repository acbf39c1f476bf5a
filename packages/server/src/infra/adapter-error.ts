import type { RemedyCode } from '@panel/contract/remedy-texts'
import { type ErrorSentence, readSays, type Says } from '../text/error-texts.ts'
import { messageOf } from '../text/message-of.ts'
import { ProcessError } from './process/process.ts'

/** Error kinds of all adapters. errors.ts must map each to an API code, or the build fails. */
export const adapterErrorKinds = [
  'backup-target-unavailable',
  'container-engine-unavailable',
  'database-admin-unavailable',
  'database-server-unavailable',
  'firewall-unavailable',
  'mail-server-unavailable',
  'name-server-unavailable',
  'node-unavailable',
  'project-directories-unavailable',
  'registry-refused',
  'repository-private',
  'repository-unavailable',
  'reverse-proxy-unavailable',
  'session-store-unavailable',
  'sftp-unavailable',
  'archive-invalid',
  'directory-into-itself',
  'file-changed',
  'file-exists',
  'file-not-found',
  'name-too-long',
  'not-a-directory',
  'not-a-file',
  'path-forbidden',
  'path-protected',
  'too-large',
  'too-many-open-files',
  'disk-full',
  'revision-invalid',
  'database-name-exists',
  'statements-refused',
  // The feature must handle these; an unhandled one is a bug.
  'build-refused',
  'container-engine-refused',
  'database-dump-failed',
  'database-refused'
] as const

export type AdapterErrorKind = (typeof adapterErrorKinds)[number]

/** `kind` decides the API code (errors.ts). `says` is shown to the caller; `reason` and `remedy` to administrators. */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly sentence: string
  readonly sentences: readonly ErrorSentence[]
  readonly reason: string | undefined
  readonly remedy: RemedyCode | undefined

  constructor(
    kind: AdapterErrorKind,
    says: Says,
    { cause, reason, remedy }: ErrorOptions & { reason?: string | undefined; remedy?: RemedyCode | undefined } = {}
  ) {
    const { text, sentences } = readSays(says)
    super(
      reason === undefined ? text : `${text.replace(/\.$/, '')}: ${reason}`,
      cause === undefined ? undefined : { cause }
    )
    this.name = 'AdapterError'
    this.kind = kind
    this.sentence = text
    this.sentences = sentences
    this.reason = reason
    this.remedy = remedy
  }

  get explanation(): string | undefined {
    return this.reason ?? (this.cause === undefined ? undefined : explain(this.cause))
  }
}

const maxLength = 500

export function explain(error: unknown): string | undefined {
  const said =
    error instanceof ProcessError ? `${error.message}: ${error.stderr.trim().slice(-maxLength)}` : textOf(error)
  const line = said.replace(/\s+/g, ' ').replace(/[\s:]+$/, '')
  return line === '' ? undefined : line.slice(0, maxLength)
}

/** Node's AggregateError of a connection attempt has a code and no message. */
const textOf = (error: unknown): string =>
  messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : '')
