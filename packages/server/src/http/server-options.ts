import type { IncomingMessage } from 'node:http'
import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Dependencies } from '../dependencies.ts'
import { answerClientError } from './client-error.ts'
import type { createForwardingTrust } from './own-proxy.ts'
import { createRequestIds } from './request-id.ts'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>

/** Given at once and not set afterwards: otherwise Fastify loads its own, with Ajv. The types of these are Ajv's too. */
export const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler
} as unknown as NonNullable<SchemaController['compilersFactory']>

export const routerOptions = { maxParamLength: 300 }

/** What Fastify itself is told. `trust` says whose word on where a request comes from counts. */
export const serverOptions = (
  { config, logger }: Pick<Dependencies, 'config' | 'logger'>,
  trust: ReturnType<typeof createForwardingTrust>
) => ({
  loggerInstance: logger as FastifyBaseLogger,
  bodyLimit: 2 * 1024 * 1024,
  trustProxy: trust.isTrustedHop,
  // Called before everything else, of requests that are injected too.
  rewriteUrl(request: IncomingMessage) {
    trust.strip(request)
    return request.url ?? '/'
  },
  genReqId: createRequestIds(),
  // Request lines are logged at debug; failures are logged by the error handler.
  logController: new LogController({
    disableRequestLogging: () => config.LOG_LEVEL !== 'debug' && config.LOG_LEVEL !== 'trace'
  }),
  forceCloseConnections: 'idle' as const,
  requestTimeout: 0, // addBodyDeadline
  // Who is slower than this over the head of a request, or sends nothing at all, holds a connection that others could have.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  clientErrorHandler: answerClientError,
  routerOptions,
  schemaController: { compilersFactory: zodCompilers }
})
