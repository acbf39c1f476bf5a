import { type ErrorSentence, readSays, type Says } from '../text/error-texts.ts'

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
 * caller: text, or sentences with codes that the dashboard translates. `reason` is for the log only and may name addresses and paths.
 */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  /** What the caller is shown. */
  readonly sentence: string
  /** The same by codes; empty when `says` was text. */
  readonly sentences: readonly ErrorSentence[]
  readonly reason: string | undefined

  constructor(
    kind: AdapterErrorKind,
    says: Says,
    { cause, reason }: ErrorOptions & { reason?: string | undefined } = {}
  ) {
    const { text, sentences } = readSays(says)
    super(reason === undefined ? text : `${text}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'AdapterError'
    this.kind = kind
    this.sentence = text
    this.sentences = sentences
    this.reason = reason
  }
}
