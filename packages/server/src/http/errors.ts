import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { ErrorBody } from '@panel/contract/errors'
import { describe, sentenceOf } from '@panel/contract/details'
import { failureTexts } from '@panel/contract/failure-texts'
import { remedyTexts } from '@panel/contract/remedy-texts'
import { knownSentences } from '@panel/contract/sentences'
import { AppError, asAppError, asStoreError, outageMessage } from '../errors.ts'

// Replaces Fastify's own messages.
const fastifyErrors: Readonly<Record<string, [ErrorBody['code'], string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['MALFORMED_JSON', 'The body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['MALFORMED_JSON', 'The body is empty, but the content type is JSON'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['MALFORMED_JSON', 'The body does not have the announced length'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'Request body too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send JSON, with Content-Type: application/json'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send a form, with Content-Type: multipart/form-data'],
  FST_FILES_LIMIT: ['VALIDATION_ERROR', 'The form has too many files'],
  FST_FIELDS_LIMIT: ['VALIDATION_ERROR', 'The form has too many fields'],
  FST_PARTS_LIMIT: ['VALIDATION_ERROR', 'The form has too many parts'],
  FST_PROTO_VIOLATION: ['VALIDATION_ERROR', 'The form has a field with an invalid name'],
  FST_MP_PREMATURE_CLOSE: ['VALIDATION_ERROR', 'The form was interrupted']
}

/** Responses to these are delayed, because clients that retry at once would overload the panel. */
const slowRefusals: ReadonlySet<ErrorBody['code']> = new Set(['RATE_LIMITED', 'BUSY'])

/**
 * Converts everything thrown to the common error format. Unknown errors are logged and become 500. Refusals are sent
 * after `refusalMs` plus as much jitter, so that clients do not retry in sync. `isAdmin` decides who sees the cause of
 * an outage.
 */
export function addErrorHandling(
  app: FastifyInstance,
  { refusalMs = 1_000, random = Math.random, isAdmin = async () => false }: ErrorHandlingOptions = {}
): void {
  app.setErrorHandler(async (error, request, reply) => {
    const known = toAppError(error)
    if (slowRefusals.has(known.code)) await sleep(refusalMs * (1 + random()), undefined, { ref: false })
    if (known.status >= 500) request.log.error({ err: error }, known.message)
    else if (known.cause !== undefined) request.log.info({ err: error }, known.message)
    return sendError(reply, known, { withOutage: known.outage !== undefined && (await isAdmin(request)) })
  })
}

interface ErrorHandlingOptions {
  refusalMs?: number
  random?: () => number
  isAdmin?: (request: FastifyRequest) => Promise<boolean>
}

const noForm = sentenceOf({ code: 'NO_FORM' })

/** Converts anything thrown to an AppError. Error codes: errors.ts. */
export function toAppError(error: unknown): AppError {
  const known = asAppError(error)
  if (known) return known
  if (isRequestCutOff(error)) return new AppError('VALIDATION_ERROR', 'The request was interrupted')
  if (hasZodFastifySchemaValidationErrors(error)) {
    if (error.validationContext === 'params' && !isOneOfList(error.validation))
      return new AppError('NOT_FOUND', 'Not found')
    const details = onePerPath(
      error.validation.flatMap((issue) =>
        detailsOf({
          ...issue.params,
          code: issue.keyword,
          path: issue.instancePath.split('/').slice(1),
          message: issue.message
        })
      )
    )
    const [first] = details
    const subject = first?.path || partNames[error.validationContext ?? 'body'] || 'the request'
    return new AppError(
      'VALIDATION_ERROR',
      `Some values are not valid: ${subject} ${first?.message ?? 'is not valid'}`,
      {
        details
      }
    )
  }
  if (!isResponseSerializationError(error) && error instanceof Error && 'code' in error) {
    const mapped = fastifyErrors[String(error.code)]
    if (mapped) return new AppError(...mapped)
    // Fastify's default parser reports invalid JSON and prototype poisoning by status only.
    if ('statusCode' in error && error.statusCode === 400)
      return new AppError('VALIDATION_ERROR', 'The request is not valid')
  }
  if (error instanceof SyntaxError) return new AppError('MALFORMED_JSON', 'The body is not valid JSON')
  return asStoreError(error) ?? new AppError('INTERNAL', 'Internal error', { cause: error })
}

/** Serialized here, so that the error does not depend on the route's response schemas. */
export function sendError(reply: FastifyReply, error: AppError, { withOutage = false } = {}): FastifyReply {
  const outage = withOutage ? error.outage : undefined
  const sentences = knownSentences(failureTexts, error.sentences)
  const body: ErrorBody = {
    error: outage ? outageMessage(error) : error.message,
    code: error.code,
    ...(outage && {
      outage: {
        ...(outage.reason === undefined ? {} : { cause: outage.reason }),
        remedy: remedyTexts[outage.remedy],
        sentences: [{ code: outage.remedy }]
      }
    }),
    ...(sentences.length > 0 ? { sentences } : {}),
    ...(error.details ? { details: error.details } : {})
  }
  if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', error.retryAfterSeconds)
  // RFC 9110 §11.6.1 requires the header. Browsers show no prompt for Bearer.
  if (error.status === 401) void reply.header('WWW-Authenticate', 'Bearer')
  return reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** Whether the path parameter is an enum and not an ID, so that its values can be shown. */
const isOneOfList = (issues: readonly { keyword?: string }[]): boolean =>
  issues.every(({ keyword }) => keyword === 'invalid_value')

/** Name of a request part if no single member is invalid. */
const partNames: Readonly<Record<string, string>> = {
  body: 'the body',
  querystring: 'the query',
  headers: 'the headers'
}

type Details = NonNullable<ErrorBody['details']>

/** Keeps the first problem per path, for example "required" but not "invalid format". */
const onePerPath = (details: Details): Details =>
  details.filter(({ path }, at) => details.findIndex((other) => other.path === path) === at)

interface ZodIssue {
  code?: string | undefined
  path: readonly PropertyKey[]
  message?: string | undefined
  /** Issues per member of a union. */
  errors?: readonly (readonly ZodIssue[])[]
}

/** For a union without a message, report the member that matched deepest: it is most likely the intended one. */
function detailsOf(issue: ZodIssue, parent: readonly PropertyKey[] = []): Details {
  const path = [...parent, ...issue.path]
  const depth = (issues: readonly ZodIssue[]) => Math.max(...issues.map((each) => each.path.length))
  const [meant] = [...(issue.errors ?? [])].reverse().sort((a, b) => depth(b) - depth(a) || a.length - b.length)
  if (meant && issue.message === noForm) return meant.flatMap((inner) => detailsOf(inner, path))
  const message = issue.message ?? sentenceOf({ code: 'INVALID' })
  const described = describe({ ...issue, message } as Parameters<typeof describe>[0])
  return [{ path: path.filter((part) => part !== '').join('.'), message, ...described }]
}

/** How Node.js reports a client that disconnected while sending the body. */
const isRequestCutOff = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
