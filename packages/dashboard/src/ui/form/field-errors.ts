import { type Described, describe } from '@panel/contract/details'
import type { FormErrors } from '@mantine/form'
import type { z } from 'zod'
import { ApiError, type ErrorCode } from '../../api/client.ts'
import type { Translate } from '../../i18n/messages.ts'
import type english from './details.en.json'

interface FieldError extends Partial<Described> {
  path: string
  message: string
}

export const problemsOf = ({ issues }: z.ZodError): FieldError[] =>
  issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
    ...describe(issue as Parameters<typeof describe>[0])
  }))

/** Errors from the server. `fieldOfCode` maps error codes without details to a field. */
export function refusalsOf(error: Error, fieldOfCode: Partial<Record<ErrorCode, string>>): readonly FieldError[] {
  if (!(error instanceof ApiError)) return []
  const field = error.code === undefined ? undefined : fieldOfCode[error.code]
  return field === undefined ? (error.details ?? []) : [{ path: field, message: error.message }]
}

/** By field, translated by code where possible. Only the first error of a field is shown. */
export const sentencesOf = (t: Translate<typeof english>, errors: readonly FieldError[]): FormErrors =>
  Object.fromEntries(errors.toReversed().map((error) => [error.path, capitalized(sentenceIn(t, error))]))

const sentenceIn = (t: Translate<typeof english>, { code, values, message }: FieldError): string =>
  code === undefined || code === 'INVALID' ? message : t(code, values)

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
