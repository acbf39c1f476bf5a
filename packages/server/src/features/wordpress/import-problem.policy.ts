import type { ErrorCode } from '@panel/contract/errors'
import { knownSentences, type SentenceValue } from '@panel/contract/sentences'
import type { WordpressProblem } from '@panel/contract/wordpress'
import { wordpressProblemTexts } from '@panel/contract/wordpress-texts'
import { AppError, asAppError } from '../../errors.ts'

interface StoredProblem {
  errorCode: ErrorCode
  errorMessage: string
  errorSentences: WordpressProblem
}

export function storedProblem(error: unknown): StoredProblem {
  const appError = asAppError(error) ?? new AppError('WORDPRESS_IMPORT_FAILED', { code: 'IMPORT_BROKE' })
  return {
    errorCode: appError.code,
    errorMessage: withoutNul(appError.message),
    errorSentences: knownSentences(wordpressProblemTexts, appError.sentences).map(storable)
  }
}

// PostgreSQL text rejects NUL and its JSON rejects lone surrogates; a quoted dump statement may contain both.
const withoutNul = (text: string): string => text.replaceAll('\0', '')
const storable = ({ code, values }: WordpressProblem[number]): WordpressProblem[number] =>
  values === undefined
    ? { code }
    : { code, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, storableValue(value)])) }
const storableValue = <Value extends SentenceValue>(value: Value): Value =>
  typeof value === 'string' ? (withoutNul(value).toWellFormed() as Value) : value

export const problemOf = (kept: { errorCode: ErrorCode | null; errorMessage: string | null }): AppError =>
  new AppError(kept.errorCode ?? 'WORDPRESS_IMPORT_FAILED', kept.errorMessage ?? 'The import failed')

/** Whether a retry is pointless: a deleted database does not come back, an unreachable engine does. */
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
