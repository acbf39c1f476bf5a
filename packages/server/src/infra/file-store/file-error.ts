import type { ErrorCode } from '@panel/contract/errors'
import { AppError } from '../../errors.ts'

/** What the kernel's refusals mean to the one who asked. Anything else is a fault of ours or of the machine, and stays what it is. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['NOT_FOUND', 'There is no such file or directory.'],
  ENOTDIR: ['NOT_A_DIRECTORY', 'A part of the path is not a directory.'],
  EISDIR: ['NOT_A_FILE', 'That is a directory: name a file.'],
  EEXIST: ['FILE_ALREADY_EXISTS', 'There is already something with that name: choose another one.'],
  ENOTEMPTY: ['FILE_ALREADY_EXISTS', 'There is already something with that name: choose another one.'],
  EPERM: ['PATH_FORBIDDEN', 'The file system does not allow that.'],
  ELOOP: ['PATH_FORBIDDEN', 'A link is in the way, or too many links follow each other.'],
  ENAMETOOLONG: ['VALIDATION_ERROR', 'The name is too long: use at most 255 bytes for each name.'],
  ENOSPC: ['DISK_FULL', 'The disk is full: remove something first.'],
  EDQUOT: ['DISK_FULL', 'The quota is used up: remove something first.'],
  EFBIG: ['DISK_FULL', 'The file is larger than the file system takes.'],
  EMFILE: ['BUSY', 'Too many files are open at the moment: try again soon.'],
  ENFILE: ['BUSY', 'Too many files are open at the moment: try again soon.']
}

export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined

/** Passes AppErrors on, and gives the kernel's errors their meaning. */
export function toFileError(error: unknown): unknown {
  const meaning = meanings[errnoOf(error) ?? '']
  return meaning ? new AppError(meaning[0], meaning[1], { cause: error }) : error
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

export const notFound = () => new AppError('NOT_FOUND', 'There is no such file or directory.')
export const notAFile = () => new AppError('NOT_A_FILE', 'That is not a file: name a file.')
export const notADirectory = () => new AppError('NOT_A_DIRECTORY', 'That is not a directory: name a directory.')
export const alreadyExists = () =>
  new AppError('FILE_ALREADY_EXISTS', 'There is already something with that name: choose another one.')
export const pathProtected = (name: string) =>
  new AppError(
    'PATH_PROTECTED',
    `The file manager does not change ${name}: it may hold secrets. It can be changed by SFTP.`
  )
