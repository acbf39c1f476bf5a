import { z } from 'zod'
import { FailureSentences } from '@panel/contract/deployments'
import { ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'
import { AppError, asStoreError } from '../errors.ts'
import { AdapterError, adapterErrorKinds } from '../infra/adapter-error.ts'
import { EngineError } from '../infra/container-engine/container-engine.ts'
import { DatabaseRefusedError } from '../infra/database-server/database-server.ts'
import { RepositoryError } from '../infra/git/git.ts'
import type { ErrorCodec } from '../infra/worker-socket/verb.ts'

const message = z.string()
const ErrorData = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('app'),
    message,
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    // A worker of the version before says none.
    sentences: FailureSentences.default([]),
    details: ErrorBody.shape.details,
    retryAfterSeconds: z.number().optional()
  }),
  z.object({
    is: z.literal('repository'),
    kind: z.enum(['repository-private', 'repository-unavailable']),
    sentences: FailureSentences
  }),
  z.object({ is: z.literal('adapter'), message, reason: z.string().optional(), kind: z.enum(adapterErrorKinds) }),
  z.object({ is: z.literal('engine'), message, status: z.number() }),
  z.object({ is: z.literal('database'), message })
])
type ErrorData = z.infer<typeof ErrorData>

/** Those that features throw, and tell apart; their causes stay with the worker. */
export const workerErrors: ErrorCodec = {
  encode(error): ErrorData | undefined {
    const known = error instanceof AppError ? error : asStoreError(error)
    if (known) {
      const { message, code, details, retryAfterSeconds } = known
      return { is: 'app', message, code, sentences: [...known.sentences], details, retryAfterSeconds }
    }
    if (error instanceof RepositoryError) return { is: 'repository', kind: error.kind, sentences: [...error.sentences] }
    if (error instanceof AdapterError) {
      const { kind, reason, sentence } = error
      return { is: 'adapter', message: sentence, reason, kind }
    }
    if (error instanceof EngineError) return { is: 'engine', message: error.message, status: error.status }
    if (error instanceof DatabaseRefusedError) return { is: 'database', message: error.message }
    return undefined
  },
  decode(content) {
    const data = ErrorData.parse(content)
    switch (data.is) {
      case 'app': {
        const { code, details, message, retryAfterSeconds, sentences } = data
        return new AppError(code, sentences.length > 0 ? sentences : message, {
          ...(details === undefined ? {} : { details }),
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
        })
      }
      case 'repository':
        return new RepositoryError(data.kind, data.sentences)
      case 'adapter':
        return new AdapterError(data.kind, data.message, data.reason === undefined ? {} : { reason: data.reason })
      case 'engine':
        return new EngineError(data.message, data.status)
      case 'database':
        return new DatabaseRefusedError(data.message)
    }
  }
}

/** The worker was not there, or not to the end: somebody starts it again. */
export const workerUnavailable = (cause: unknown): AppError =>
  new AppError(
    'WORKER_UNAVAILABLE',
    'The part of the panel that does this is being started again; try again in a moment',
    { cause, retryAfterSeconds: 5 }
  )
