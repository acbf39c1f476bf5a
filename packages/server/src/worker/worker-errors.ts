import { z } from 'zod'
import { sentencesOf } from '@panel/contract/common'
import { ErrorBody, type ErrorCode, errorStatus } from '@panel/contract/errors'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { AppError, asStoreError } from '../errors.ts'
import { AdapterError, adapterErrorKinds } from '../infra/adapter-error.ts'
import { EngineError } from '../infra/container-engine/container-engine.ts'
import type { ErrorCodec } from '../infra/worker-socket/verb.ts'
import { errorTexts } from '../text/error-texts.ts'

const message = z.string()
const RemedyCode = z.enum(Object.keys(remedyTexts) as [RemedyCode, ...RemedyCode[]])
const ErrorSentences = sentencesOf('ErrorSentenceCode', errorTexts).default([])
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
  z.object({
    is: z.literal('adapter'),
    message,
    sentences: ErrorSentences,
    reason: z.string().optional(),
    remedy: RemedyCode.optional(),
    kind: z.enum(adapterErrorKinds)
  }),
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
    if (error instanceof AdapterError) {
      const { explanation, kind, remedy, sentence, sentences } = error
      return { is: 'adapter', message: sentence, sentences: [...sentences], reason: explanation, remedy, kind }
    }
    return undefined
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
      case 'adapter': {
        const { kind, message, reason, remedy, sentences } = data
        return new AdapterError(kind, sentences.length > 0 ? sentences : message, { reason, remedy })
      }
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
