import { z } from 'zod'
import { ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'
import { AppError, asStoreError } from '../errors.ts'
import { EngineError } from '../infra/container-engine/container-engine.ts'
import { AdapterErrorData, adapterErrors, ErrorSentences, RemedyCode } from '../infra/verb-socket/adapter-errors.ts'
import type { ErrorCodec } from '../infra/verb-socket/verb.ts'

const message = z.string()
const ErrorData = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('app'),
    message,
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    sentences: ErrorSentences,
    details: ErrorBody.shape.details,
    retryAfterSeconds: z.number().optional(),
    outage: z.object({ reason: z.string().optional(), remedy: RemedyCode }).optional()
  }),
  AdapterErrorData,
  z.object({ is: z.literal('engine'), message, status: z.number() })
])
type ErrorData = z.infer<typeof ErrorData>

/** Serialises expected errors (errors.ts) from the worker to the web process. Causes stay in the worker's log. */
export const workerErrors: ErrorCodec = {
  encode(error): ErrorData | undefined {
    const known = error instanceof AppError ? error : asStoreError(error)
    if (known) {
      const { message, code, details, outage, retryAfterSeconds } = known
      return { is: 'app', message, code, sentences: [...known.sentences], details, outage, retryAfterSeconds }
    }
    if (error instanceof EngineError) return { is: 'engine', message: error.message, status: error.status }
    return adapterErrors.encode(error)
  },
  decode(content) {
    const data = ErrorData.parse(content)
    switch (data.is) {
      case 'app': {
        const { code, details, message, outage, retryAfterSeconds, sentences } = data
        return new AppError(code, sentences.length > 0 ? sentences : message, {
          ...outage,
          ...(details === undefined ? {} : { details }),
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
        })
      }
      case 'adapter':
        return adapterErrors.decode(data)
      case 'engine':
        return new EngineError(data.message, data.status)
    }
  }
}

export const workerUnavailable = (cause: unknown): AppError =>
  new AppError('WORKER_UNAVAILABLE', 'A server component is restarting. Try again in a moment.', {
    cause,
    retryAfterSeconds: 5
  })
