/** What can keep an adapter from doing what it was asked, in the words of what it speaks to. A new kind gets its code in errors.ts. */
export const adapterErrorKinds = [
  // Away, or not fit for it as this machine is.
  'container-engine-unavailable',
  'database-admin-unavailable',
  'database-server-unavailable',
  'mail-server-unavailable',
  'name-server-unavailable',
  'project-directories-unavailable',
  'repository-unavailable',
  'reverse-proxy-unavailable',
  'session-store-unavailable',
  'sftp-unavailable',
  // Of file-store.
  'archive-invalid',
  'directory-into-itself',
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

/** `message` is a sentence for a person; what it means to a caller of the API is not the adapter's to say. */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind

  constructor(kind: AdapterErrorKind, message: string, { cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AdapterError'
    this.kind = kind
  }
}
