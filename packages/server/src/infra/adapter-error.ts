import type { RemedyCode } from '@panel/contract/remedy-texts'
import { type ErrorSentence, readSays, type Says } from '../text/error-texts.ts'
import { messageOf } from '../text/message-of.ts'
import { ProcessError } from './process/process.ts'

/** What can keep an adapter from its work. The build fails until a new kind has its API code in errors.ts. */
export const adapterErrorKinds = [
  // Unavailable, or not usable on this machine.
  'container-engine-unavailable',
  'database-admin-unavailable',
  'database-server-unavailable',
  'mail-server-unavailable',
  'name-server-unavailable',
  'project-directories-unavailable',
  'repository-private',
  'repository-unavailable',
  'reverse-proxy-unavailable',
  'session-store-unavailable',
  'sftp-unavailable',
  // Of file-store.
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
  // Of whatever writes to the disk.
  'disk-full',
  // Of git.
  'revision-invalid',
  // Of database-server and site-database.
  'database-name-exists',
  'statements-refused',
  // Answers that the feature has to handle by kind; unhandled, they are a defect.
  'build-refused',
  'container-engine-refused',
  'database-refused'
] as const

export type AdapterErrorKind = (typeof adapterErrorKinds)[number]

/**
 * The one error that adapters reject with for what a person can act on. `kind` decides the code of the API (errors.ts). `says` is shown to the
 * caller: text, or sentences with codes that the dashboard translates. `reason` is for the log and for administrators, and may name addresses
 * and paths. `remedy`, also for administrators, overrides that of the code.
 */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  /** What the caller is shown. */
  readonly sentence: string
  /** The same by codes; empty when `says` was text. */
  readonly sentences: readonly ErrorSentence[]
  readonly reason: string | undefined
  readonly remedy: RemedyCode | undefined

  constructor(
    kind: AdapterErrorKind,
    says: Says,
    { cause, reason, remedy }: ErrorOptions & { reason?: string | undefined; remedy?: RemedyCode | undefined } = {}
  ) {
    const { text, sentences } = readSays(says)
    super(reason === undefined ? text : `${text}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'AdapterError'
    this.kind = kind
    this.sentence = text
    this.sentences = sentences
    this.reason = reason
    this.remedy = remedy
  }

  /** The reason, or what its cause says of itself. */
  get explanation(): string | undefined {
    return this.reason ?? (this.cause === undefined ? undefined : explain(this.cause))
  }
}

const maxLength = 500

/** One line of what was thrown: of a program also the end of what it wrote to standard error. */
export function explain(error: unknown): string | undefined {
  const said =
    error instanceof ProcessError ? `${error.message}: ${error.stderr.trim().slice(-maxLength)}` : textOf(error)
  const line = said.replace(/\s+/g, ' ').replace(/[\s:]+$/, '')
  return line === '' ? undefined : line.slice(0, maxLength)
}

/** Node's error for several addresses that were tried has a code and no message. */
const textOf = (error: unknown): string =>
  messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : '')
