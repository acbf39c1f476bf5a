import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { createCredentials } from './security/credentials.ts'
import type { Dependencies } from './dependencies.ts'
import { accountDiskSpace } from './features/disk-usage/disk-usage-access.ts'
import { ownersOf } from './features/hooks.ts'
import { addRoutePolicy, isAdmin } from './http/access.ts'
import { addAdmission } from './http/admission.ts'
import { addBodyDeadline } from './http/body-deadline.ts'
import { followConnections } from './http/caller-connection.ts'
import { addCompression } from './http/compression.ts'
import { limitConnections } from './http/connection-limits.ts'
import { addDashboard } from './http/dashboard.ts'
import { addDiskSpaceCheck } from './http/disk-space.ts'
import { addErrorHandling, sendError } from './http/errors.ts'
import { rejectLoneSurrogates } from './http/lone-surrogates.ts'
import { acceptOnlyJson } from './http/json-body.ts'
import { addLiveChannel } from './http/live/live-channel.ts'
import type { LiveLimits } from './http/live/live-limits.ts'
import { addMetrics } from './http/metrics.ts'
import { addNotFound, nothingAtAddress } from './http/not-found.ts'
import { addOpenApi } from './http/openapi.ts'
import { createForwardingTrust } from './http/own-proxy.ts'
import { addOwnership } from './http/ownership.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { addWebSockets } from './http/web-sockets.ts'
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
  /** Directory of the dashboard build; without it only the API is served. */
  dashboard?: string
}

/** Registers plugins, route policy and the routes of all features. Does not listen. */
export async function buildApp(deps: Dependencies, options: AppOptions = {}): Promise<App> {
  const trust = createForwardingTrust(deps.config)
  const app: App = Fastify({
    ...serverOptions(deps, trust),
    // Malformed paths reach neither a route nor the route policy.
    frameworkErrors: (_error, _request, reply) => void sendError(reply, nothingAtAddress())
  }).withTypeProvider<ZodTypeProvider>()
  followConnections(app.server, deps.now)
  limitConnections(app.server, deps.connectionLimits, trust.isTrusted)
  // First, so that live channel requests never reach Fastify.
  const credentials = createCredentials(deps)
  addLiveChannel(app, deps, credentials, { trust, ...(options.live ? { limits: options.live } : {}) })
  addBodyDeadline(app)
  acceptOnlyJson(app)
  addErrorHandling(app, { ...options, isAdmin: (request) => isAdmin(credentials, request) })
  addNotFound(app, routerOptions)

  await app.register(cookie)
  addSecurityHeaders(app, deps.config)
  addCompression(app)
  if (options.dashboard !== undefined) await addDashboard(app, deps, options.dashboard)
  addAdmission(app, deps)
  addRoutePolicy(app, deps, credentials)
  addOwnership(app, ownersOf(deps))
  addWebSockets(app, deps, credentials)
  rejectLoneSurrogates(app)
  addDiskSpaceCheck(app, deps, accountDiskSpace(deps))
  await addMetrics(app, deps)
  addOpenApi(app, deps.config)

  for (const routes of deps.features.flatMap((feature) => feature.routes ?? []))
    await app.register(async (scope) => routes(scope as App, deps))
  return app
}
