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
 * stands in the message, which is logged, alone: it may name addresses and paths of the machine.
 */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly sentence: string
  readonly reason: string | undefined

  constructor(kind: AdapterErrorKind, sentence: string, { cause, reason }: ErrorOptions & { reason?: string } = {}) {
    super(reason === undefined ? sentence : `${sentence}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'AdapterError'
    this.kind = kind
    this.sentence = sentence
    this.reason = reason
  }
}
