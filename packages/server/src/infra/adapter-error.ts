import type { RemedyCode } from '@panel/contract/remedy-texts'
import { messageOf } from '../text/message-of.ts'
import { ProcessError } from './process/process.ts'

/** What can keep an adapter from doing what it was asked, in the words of what it speaks to. A new kind gets its code in errors.ts. */
export const adapterErrorKinds = [
  // Away, or not fit for it as this machine is.
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
  'statements-refused'
] as const

export type AdapterErrorKind = (typeof adapterErrorKinds)[number]

/**
 * `sentence` is for a person; what it means to a caller of the API is not the adapter's to say. `reason` is for whoever runs the panel, and
 * stands in the message, which is logged, and in what administrators are told: it may name addresses and paths of the machine. `remedy` is
 * for them too, where it is another than that of the kind (errors.ts).
 */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly sentence: string
  readonly reason: string | undefined
  readonly remedy: RemedyCode | undefined

  constructor(
    kind: AdapterErrorKind,
    sentence: string,
    { cause, reason, remedy }: ErrorOptions & { reason?: string | undefined; remedy?: RemedyCode | undefined } = {}
  ) {
    super(reason === undefined ? sentence : `${sentence}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'AdapterError'
    this.kind = kind
    this.sentence = sentence
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
