import { AdapterError, type AdapterErrorKind } from '../adapter-error.ts'

/** Kernel errors that are the caller's problem. All others are internal errors and passed on unchanged. */
const meanings: Readonly<Record<string, readonly [AdapterErrorKind, string]>> = {
  ENOENT: ['file-not-found', 'File or folder not found.'],
  ENOTDIR: ['not-a-directory', 'Part of the path is not a folder.'],
  EISDIR: ['not-a-file', 'This is a folder. Choose a file.'],
  EEXIST: ['file-exists', 'An entry with this name already exists. Choose another name.'],
  ENOTEMPTY: ['file-exists', 'An entry with this name already exists. Choose another name.'],
  EPERM: ['path-forbidden', 'The file system does not permit this operation.'],
  ELOOP: ['path-forbidden', 'The path contains a symbolic link that is not allowed, or too many of them.'],
  ENAMETOOLONG: ['name-too-long', 'The name is too long. Use at most 255 bytes.'],
  ENOSPC: ['disk-full', 'The disk is full. Delete files first.'],
  EDQUOT: ['disk-full', 'Your disk quota is exceeded. Delete files first.'],
  EFBIG: ['disk-full', 'The file exceeds the size limit of the file system.'],
  EMFILE: ['too-many-open-files', 'Too many open files. Try again in a moment.'],
  ENFILE: ['too-many-open-files', 'Too many open files. Try again in a moment.']
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

export function toFileError(error: unknown): unknown {
  const meaning = meanings[errnoOf(error) ?? '']
  return meaning ? new AdapterError(meaning[0], meaning[1], { cause: error }) : error
}

export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toFileError(error)
  }
}

export async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export const notFound = () => new AdapterError('file-not-found', 'File or folder not found.')
export const notAFile = () => new AdapterError('not-a-file', 'This is not a regular file. Choose a file.')
export const notADirectory = () => new AdapterError('not-a-directory', 'This is not a folder. Choose a folder.')
export const alreadyExists = () =>
  new AdapterError('file-exists', 'An entry with this name already exists. Choose another name.')
export const pathProtected = (name: string) =>
  new AdapterError(
    'path-protected',
    `The file manager does not change ${name}, because it may contain secrets. Use environment variables or SFTP.`
  )
