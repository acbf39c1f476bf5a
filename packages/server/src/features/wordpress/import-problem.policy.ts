import type { ErrorCode } from '@panel/contract/errors'
import { knownSentences, type SentenceValue } from '@panel/contract/sentences'
import type { WordpressProblem } from '@panel/contract/wordpress'
import { wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { AppError, asAppError } from '../../errors.ts'

interface KeptProblem {
  errorCode: ErrorCode
  errorMessage: string
  errorSentences: WordpressProblem
}

/** An import ends in another process than the one that answers for it: what is kept of the error that ended it. */
export function keptProblem(error: unknown): KeptProblem {
  const appError = asAppError(error) ?? new AppError('WORDPRESS_IMPORT_FAILED', { code: 'IMPORT_BROKE' })
  return {
    errorCode: appError.code,
    errorMessage: withoutNul(appError.message),
    errorSentences: knownSentences(wordpressProblemTexts, appError.sentences).map(storable)
  }
}

// The store's texts have no NUL; a statement of a dump, which the message may name, can. Nor has its JSON half a character.
const withoutNul = (text: string): string => text.replaceAll('\0', '')
const storable = ({ code, values }: WordpressProblem[number]): WordpressProblem[number] =>
  values === undefined
    ? { code }
    : { code, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, storableValue(value)])) }
const storableValue = <Value extends SentenceValue>(value: Value): Value =>
  typeof value === 'string' ? (withoutNul(value).toWellFormed() as Value) : value

export const problemOf = (kept: { errorCode: ErrorCode | null; errorMessage: string | null }): AppError =>
  new AppError(kept.errorCode ?? 'WORDPRESS_IMPORT_FAILED', kept.errorMessage ?? 'The import failed')

/** Whether it stands in the way however often it is tried again: an engine that is away comes back, a deleted database does not. */
export function isFinal(error: unknown): boolean {
  const appError = asAppError(error)
  return appError !== undefined && finalCodes.has(appError.code)
}

const finalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_FOUND',
  'CONFLICT',
  'DATABASE_VARIABLES_EXIST',
  'WORDPRESS_IMPORT_FAILED'
])
