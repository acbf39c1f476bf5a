import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Dependencies } from './dependencies.ts'
import { AppError } from './errors.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { apiTokenRoutes } from './features/api-tokens/api-tokens.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { certificateRoutes } from './features/certificates/certificates.routes.ts'
import { containerRoutes } from './features/containers/containers.routes.ts'
import { dnsRecordRoutes } from './features/dns-records/dns-records.routes.ts'
import { dnssecRoutes } from './features/dns-zones/dnssec.routes.ts'
import { databaseAdminRoutes } from './features/databases/database-admin.routes.ts'
import { databaseRoutes } from './features/databases/databases.routes.ts'
import { domainRoutes } from './features/domains/domains.routes.ts'
import { deploymentRoutes } from './features/deployments/deployments.routes.ts'
import { envVarRoutes } from './features/env-vars/env-vars.routes.ts'
import { fileRoutes } from './features/files/files.routes.ts'
import { gitRoutes } from './features/git/git.routes.ts'
import { pushReceiverRoutes } from './features/git/push-receiver.routes.ts'
import { passwordResetRoutes } from './features/password-reset/password-reset.routes.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import { sessionRoutes } from './features/sessions/sessions.routes.ts'
import { sftpRoutes } from './features/sftp/sftp.routes.ts'
import { dnsInfoRoutes } from './features/system/dns-info.routes.ts'
import { systemRoutes } from './features/system/system.routes.ts'
import { twoFactorRoutes } from './features/two-factor/two-factor.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { wordpressRoutes } from './features/wordpress/wordpress.routes.ts'
import { addGate } from './http/access.ts'
import { addBodyDeadline } from './http/body-deadline.ts'
import { addErrorHandling, sendError } from './http/errors.ts'
import { addMetrics } from './http/metrics.ts'
import { addOpenApi } from './http/openapi.ts'
import { createRequestIds } from './http/request-id.ts'
import { addSecurityHeaders } from './http/security-headers.ts'

const bodyLimitBytes = 2 * 1024 * 1024

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ZodTypeProvider
>

/** The HTTP application: plugins, the gate, and every feature's routes. It neither listens nor owns what it is given. */
export async function buildApp(deps: Dependencies): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.logger as import('fastify').FastifyBaseLogger,
    bodyLimit: bodyLimitBytes,
    trustProxy: deps.config.TRUSTED_PROXIES.length > 0 ? [...deps.config.TRUSTED_PROXIES] : false,
    genReqId: createRequestIds(),
    // Request lines are logged at debug; failures are logged by the error handler.
    logController: new LogController({
      disableRequestLogging: deps.config.LOG_LEVEL !== 'debug' && deps.config.LOG_LEVEL !== 'trace'
    }),
    forceCloseConnections: 'idle',
    requestTimeout: 0, // addBodyDeadline
    routerOptions: { maxParamLength: 300 },
    // A path that cannot be one (bad percent-encoding, a part that is too long) gets neither to a route nor to the gate.
    frameworkErrors: (_error, _request, reply) => void sendError(reply, nothingHere())
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  addBodyDeadline(app)
  acceptOnlyJson(app)
  addErrorHandling(app)

  await app.register(cookie)
  addSecurityHeaders(app, deps.config)
  addGate(app, deps)
  addMetrics(app)
  await addOpenApi(app, deps.config)

  for (const routes of [
    systemRoutes,
    dnsInfoRoutes,
    authRoutes,
    passwordResetRoutes,
    apiTokenRoutes,
    userRoutes,
    twoFactorRoutes,
    sessionRoutes,
    auditRoutes,
    projectRoutes,
    envVarRoutes,
    gitRoutes,
    pushReceiverRoutes,
    deploymentRoutes,
    domainRoutes,
    certificateRoutes,
    dnsRecordRoutes,
    dnssecRoutes,
    containerRoutes,
    databaseRoutes,
    databaseAdminRoutes,
    fileRoutes,
    sftpRoutes,
    wordpressRoutes
  ]) {
    await app.register(async (scope) => routes(scope as App, deps))
  }
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
  return app
}

const nothingHere = () => new AppError('NOT_FOUND', 'There is nothing at this address')

/**
 * JSON only: Fastify would also take text/plain, which a foreign page can send without a preflight. An empty body is no body,
 * since clients announce JSON on a POST without one.
 */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, body as string, done)
  })
}
