import type { ErrorCode } from '@panel/contract/errors'
import { AppError, asAppError } from '../../errors.ts'

/** An import ends in another process than the one that answers for it: what is kept of the error that ended it. */
export function keptProblem(error: unknown): { errorCode: ErrorCode; errorMessage: string } {
  const told = asAppError(error)
  if (!told)
    return {
      errorCode: 'WORDPRESS_IMPORT_FAILED',
      errorMessage: 'Something went wrong on our side; the site is as it was'
    }
  // The store's texts have no NUL; a statement of a dump, which the message may name, can.
  return { errorCode: told.code, errorMessage: told.message.replaceAll('\0', '') }
}

export const problemOf = (kept: { errorCode: ErrorCode | null; errorMessage: string | null }): AppError =>
  new AppError(kept.errorCode ?? 'WORDPRESS_IMPORT_FAILED', kept.errorMessage ?? 'The import failed')

/** Whether it stands in the way however often it is tried again: an engine that is away comes back, a deleted database does not. */
export function isFinal(error: unknown): boolean {
  const told = asAppError(error)
  return told !== undefined && finalCodes.has(told.code)
}

const finalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_FOUND',
  'CONFLICT',
  'DATABASE_VARIABLES_EXIST',
  'WORDPRESS_IMPORT_FAILED'
])
