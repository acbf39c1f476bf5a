import type { IncomingMessage } from 'node:http'
import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Dependencies } from '../dependencies.ts'
import { answerClientError } from './client-error.ts'
import type { createForwardingTrust } from './own-proxy.ts'
import { createRequestIds } from './request-id.ts'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>

/**
 * Passed at construction: otherwise Fastify loads its default Ajv compilers. The cast is needed because its types
 * expect Ajv.
 */
export const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler
} as unknown as NonNullable<SchemaController['compilersFactory']>

export const routerOptions = { maxParamLength: 300 }

export const serverOptions = (
  { config, logger }: Pick<Dependencies, 'config' | 'logger'>,
  trust: ReturnType<typeof createForwardingTrust>
) => ({
  loggerInstance: logger as FastifyBaseLogger,
  bodyLimit: 2 * 1024 * 1024,
  trustProxy: trust.isTrustedHop,
  // Runs before everything else, for injected requests too.
  rewriteUrl(request: IncomingMessage) {
    trust.strip(request)
    return request.url ?? '/'
  },
  genReqId: createRequestIds(),
  logController: new LogController({
    disableRequestLogging: () => config.LOG_LEVEL !== 'debug' && config.LOG_LEVEL !== 'trace'
  }),
  forceCloseConnections: 'idle' as const,
  requestTimeout: 0,
  // Clients that are slower with their headers, or send nothing, must not hold connections.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  clientErrorHandler: answerClientError,
  routerOptions,
  schemaController: { compilersFactory: zodCompilers }
})
