import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Dependencies } from '../dependencies.ts'
import { createRequestIds } from './request-id.ts'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>

/** Given at once and not set afterwards: otherwise Fastify loads its own, with Ajv. The types of these are Ajv's too. */
export const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler
} as unknown as NonNullable<SchemaController['compilersFactory']>

/** What Fastify itself is told. */
export const serverOptions = ({ config, logger }: Pick<Dependencies, 'config' | 'logger'>) => ({
  loggerInstance: logger as FastifyBaseLogger,
  bodyLimit: 2 * 1024 * 1024,
  trustProxy: config.TRUSTED_PROXIES.length > 0 ? [...config.TRUSTED_PROXIES] : false,
  genReqId: createRequestIds(),
  // Request lines are logged at debug; failures are logged by the error handler.
  logController: new LogController({
    disableRequestLogging: config.LOG_LEVEL !== 'debug' && config.LOG_LEVEL !== 'trace'
  }),
  forceCloseConnections: 'idle' as const,
  requestTimeout: 0, // addBodyDeadline
  routerOptions: { maxParamLength: 300 },
  schemaController: { compilersFactory: zodCompilers }
})
