import { AdapterError, type AdapterErrorKind } from '../adapter-error.ts'

/** What the kernel's refusals mean to the one who asked. Anything else is a fault of ours or of the machine, and stays what it is. */
const meanings: Readonly<Record<string, readonly [AdapterErrorKind, string]>> = {
  ENOENT: ['file-not-found', 'There is no such file or directory.'],
  ENOTDIR: ['not-a-directory', 'A part of the path is not a directory.'],
  EISDIR: ['not-a-file', 'That is a directory: name a file.'],
  EEXIST: ['file-exists', 'There is already something with that name: choose another one.'],
  ENOTEMPTY: ['file-exists', 'There is already something with that name: choose another one.'],
  EPERM: ['path-forbidden', 'The file system does not allow that.'],
  ELOOP: ['path-forbidden', 'A link is in the way, or too many links follow each other.'],
  ENAMETOOLONG: ['name-too-long', 'The name is too long: use at most 255 bytes for each name.'],
  ENOSPC: ['disk-full', 'The disk is full: remove something first.'],
  EDQUOT: ['disk-full', 'The quota is used up: remove something first.'],
  EFBIG: ['disk-full', 'The file is larger than the file system takes.'],
  EMFILE: ['too-many-open-files', 'Too many files are open at the moment: try again soon.'],
  ENFILE: ['too-many-open-files', 'Too many files are open at the moment: try again soon.']
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

/** Gives the kernel's errors their meaning, and passes on what has one. */
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

/** The result, or undefined where the entry is not there (any more). */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export const notFound = () => new AdapterError('file-not-found', 'There is no such file or directory.')
export const notAFile = () => new AdapterError('not-a-file', 'That is not a file: name a file.')
export const notADirectory = () => new AdapterError('not-a-directory', 'That is not a directory: name a directory.')
export const alreadyExists = () =>
  new AdapterError('file-exists', 'There is already something with that name: choose another one.')
export const pathProtected = (name: string) =>
  new AdapterError(
    'path-protected',
    `The file manager does not change ${name}: it may hold secrets. Use the environment variables or SFTP.`
  )
