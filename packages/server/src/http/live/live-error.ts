import { describe } from '@panel/contract/details'
import type { Logger } from 'pino'
import { ZodError } from 'zod'
import { AppError } from '../../errors.ts'
import { toAppError } from '../errors.ts'

/** Converts an error of the live channel to the API's error format. */
export function toLiveError({ logger }: { logger: Logger }, error: unknown): AppError {
  if (error instanceof ZodError) return invalid(error)
  const known = toAppError(error)
  if (known.status >= 500) logger.error({ err: error }, known.message)
  return known
}

function invalid({ issues }: ZodError): AppError {
  const details = issues.map((issue) => ({
    path: issue.path.join('.'),
    message: issue.message,
    ...describe(issue as Parameters<typeof describe>[0])
  }))
  const [first] = details
  return new AppError(
    'VALIDATION_ERROR',
    `Some values are not valid: ${first?.path || 'the input'} ${first?.message}`,
    {
      details
    }
  )
}
