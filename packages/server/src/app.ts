import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { createCredentials } from './security/credentials.ts'
import type { Dependencies } from './dependencies.ts'
import { AppError } from './errors.ts'
import { accountDiskSpace } from './features/disk-usage/disk-usage-access.ts'
import { addRoutePolicy, isAdmin } from './http/access.ts'
import { addAdmission } from './http/admission.ts'
import { addBodyDeadline } from './http/body-deadline.ts'
import { addCompression } from './http/compression.ts'
import { limitConnections } from './http/connection-limits.ts'
import { addDashboard } from './http/dashboard.ts'
import { addDiskRoom } from './http/disk-room.ts'
import { addErrorHandling, sendError } from './http/errors.ts'
import { trackPaths } from './http/known-paths.ts'
import { refuseHalfCharacters } from './http/half-characters.ts'
import { acceptOnlyJson } from './http/json-body.ts'
import { addLiveChannel } from './http/live/live-channel.ts'
import type { LiveLimits } from './http/live/live-limits.ts'
import { addMetrics } from './http/metrics.ts'
import { addOpenApi } from './http/openapi.ts'
import { createForwardingTrust } from './http/own-proxy.ts'
import { addOwnership } from './http/ownership.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { routerOptions, serverOptions } from './http/server-options.ts'

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ZodTypeProvider
>

export interface AppOptions {
  refusalMs?: number
  live?: Partial<LiveLimits>
  /** The directory of its build; without one the API is served alone. */
  dashboard?: string
}

/** The HTTP application: plugins, the route policy, and every feature's routes. It neither listens nor owns what it is given. */
export async function buildApp(deps: Dependencies, options: AppOptions = {}): Promise<App> {
  const trust = createForwardingTrust(deps.config)
  const app: App = Fastify({
    ...serverOptions(deps, trust),
    // A path that cannot be one (bad percent-encoding, a part that is too long) gets neither to a route nor to the route policy.
    frameworkErrors: (_error, _request, reply) => void sendError(reply, nothingHere())
  }).withTypeProvider<ZodTypeProvider>()
  limitConnections(app.server, deps.connectionLimits, trust.isTrusted)
  // Before whatever else listens to the server: its requests are none of the application's.
  const credentials = createCredentials(deps)
  addLiveChannel(app, deps, credentials, { trust, ...(options.live ? { limits: options.live } : {}) })
  addBodyDeadline(app)
  const paths = trackPaths(app, routerOptions)
  acceptOnlyJson(app)
  addErrorHandling(app, { ...options, isAdmin: (request) => isAdmin(credentials, request) })

  await app.register(cookie)
  addSecurityHeaders(app, deps.config)
  addCompression(app)
  if (options.dashboard !== undefined) await addDashboard(app, deps, options.dashboard)
  addAdmission(app, deps)
  addRoutePolicy(app, deps, credentials)
  addOwnership(app, ownersOf(deps))
  refuseHalfCharacters(app)
  addDiskRoom(app, deps, accountDiskSpace(deps))
  await addMetrics(app, deps)
  addOpenApi(app, deps.config)

  for (const routes of deps.features.flatMap((feature) => feature.routes ?? []))
    await app.register(async (scope) => routes(scope as App, deps))
  app.setNotFoundHandler((request, reply) => {
    const methods = paths.methodsAt(request.url)
    if (methods.length === 0) throw nothingHere()
    void reply.header('Allow', methods.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED', `This address takes ${methods.join(', ')}, and no ${request.method}`)
  })
  return app
}

const ownersOf = (deps: Dependencies) =>
  Object.fromEntries(
    deps.features.flatMap(({ owners = {} }) =>
      Object.entries(owners).map(
        ([address, requireOwner]) =>
          [address, (userId: string, ids: Readonly<Record<string, string>>) => requireOwner(deps, userId, ids)] as const
      )
    )
  )

const nothingHere = () => new AppError('NOT_FOUND', 'There is nothing at this address')
