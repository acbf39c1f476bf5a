import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TokenScope } from '@panel/contract/api-tokens'
import type { Permission, Role } from '@panel/contract/users'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { bearerOf } from './bearer.ts'
import { limitKey } from './client-ip.ts'
import { addFieldScopes } from './field-scope.ts'
import { sameSecret } from './same-secret.ts'
import { type Session, sessionTokensOf, setSessionCookie } from './session.ts'
import { type RouteScope, routeScope, scopeSuffices } from './token-scope.policy.ts'

/** Who may call a route. Required for every API route; there is no default. */
type Access =
  | { kind: 'public' }
  | { kind: 'session' }
  | { kind: 'role'; roles: readonly Role[]; permission?: Permission }
  /** An ADMIN session, or METRICS_TOKEN as a bearer token. */
  | { kind: 'metrics' }

export const publicAccess: Access = { kind: 'public' }
export const sessionAccess: Access = { kind: 'session' }
export const requireRole = (...roles: Role[]): Access => ({ kind: 'role', roles })
export const requireRoleOrPermission = (roles: readonly Role[], permission: Permission): Access => ({
  kind: 'role',
  roles,
  permission
})

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Counts against a limit per client and route: that of authentication, or of mail autodiscovery. */
    rateLimited?: true | 'discovery'
    /** Scope that an API token needs, if it does not follow from path and method (token-scope.policy.ts). */
    scope?: RouteScope
  }
  interface FastifyRequest {
    /** Set by the route policy; use `sessionOf`. */
    session: Session | null
  }
  interface FastifyInstance {
    /** All API routes with their declared policy. */
    routePolicies: RoutePolicy[]
  }
}

export interface RoutePolicy {
  method: string
  url: string
  access: Access
  scope: RouteScope
}

/** Caller of a route with `sessionAccess` or a role. The ID of a token caller matches no session. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  return request.session
}

type Deps = Pick<Dependencies, 'authLimiter' | 'config' | 'discoveryLimiter'>

export interface Credentials {
  /** Undefined if the cookie's token has no valid session. */
  openSession(token: string): Promise<OpenedSession | undefined>
  /** Rejects with the reason if the token is invalid. */
  openToken(token: string, clientIp: string): Promise<Session & { scope: TokenScope }>
  /** Undefined if the account is suspended or deleted. */
  findGrant(userId: string): Promise<{ role: Role; permissions: readonly Permission[] } | undefined>
  /** Those of the session and token IDs that are valid now. */
  findOpen(ids: readonly string[]): Promise<ReadonlyMap<string, OpenCredential>>
}

export interface OpenCredential {
  /** Role of the account. */
  role: Role
  expiresAt: Date
}

export interface OpenedSession {
  session: Session
  /** Lifetime in seconds, if the cookie must be renewed. */
  extendedSeconds?: number
}

/**
 * Runs on every route before the body is read: rate limit, origin, session, role. Strangers therefore see no validation
 * errors. An API route without `access` is a bug and fails the start.
 */
export function addRoutePolicy(app: FastifyInstance, deps: Deps, credentials: Credentials): void {
  app.decorateRequest('session', null)
  app.decorate('routePolicies', [])

  app.addHook('onRoute', (route) => {
    const { access, scope } = route.config ?? {}
    if (route.url.startsWith('/api/') && !access)
      throw new Error(`${String(route.method)} ${route.url} declares no access`)
    for (const method of [route.method].flat())
      if (access)
        app.routePolicies.push({ method, url: route.url, access, scope: routeScope(method, route.url, scope) })
    if (access && access.kind !== 'public') addFieldScopes(route)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { access, rateLimited } = request.routeOptions.config
    if (rateLimited) {
      const limiter = rateLimited === 'discovery' ? deps.discoveryLimiter : deps.authLimiter
      const waitSeconds = await limiter.hit(`${request.routeOptions.url}|${limitKey(request.ip)}`)
      if (waitSeconds !== undefined) {
        void reply.header('Retry-After', waitSeconds)
        throw new AppError('RATE_LIMITED', `Too many attempts. Try again in ${waitSeconds} seconds.`)
      }
    }
    if (access?.kind === 'public') return
    if (access?.kind === 'metrics' && hasMetricsToken(request, deps.config.METRICS_TOKEN)) return
    const session = await resolveCaller(deps, credentials, request, reply)
    request.session = session
    if (access?.kind === 'role') await requireGrant(credentials, session.userId, access.roles, access.permission)
    if (access?.kind === 'metrics') await requireGrant(credentials, session.userId, ['ADMIN'], undefined)
  })
}

/**
 * A bearer token takes precedence over a cookie. Browsers never add the header on their own, so no origin check is
 * needed, and a request with an invalid token must not fall back to the cookie.
 */
async function resolveCaller(
  deps: Deps,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<Session> {
  const bearer = bearerOf(request)
  if (bearer !== undefined) {
    const caller = await credentials.openToken(bearer, request.ip)
    requireScope(request, caller.scope)
    return caller
  }
  const opened = await openAny(credentials, sessionTokensOf(deps, request))
  if (!opened) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  if (opened.extendedSeconds !== undefined) setSessionCookie(deps, request, reply, opened.token, opened.extendedSeconds)
  if (request.routeOptions.config.access && !isSafe(request.method)) refuseForeignOrigin(request, deps.config)
  return opened.session
}

/**
 * Ignores invalid cookies besides the valid one: over plain HTTP, a site below the panel's domain can set them. If the
 * cookies belong to two accounts, none is accepted, because the genuine one cannot be told apart.
 */
export async function openAny(
  credentials: Pick<Credentials, 'openSession'>,
  tokens: readonly string[]
): Promise<(OpenedSession & { token: string }) | undefined> {
  const opened: (OpenedSession & { token: string })[] = []
  for (const token of tokens) {
    const one = await credentials.openSession(token)
    if (one) opened.push({ ...one, token })
  }
  return new Set(opened.map(({ session }) => session.userId)).size === 1 ? opened[0] : undefined
}

function requireScope(request: FastifyRequest, held: TokenScope): void {
  const { url, config } = request.routeOptions
  if (url === undefined) return
  const scopeOfRoute = routeScope(request.method, url, config.scope)
  if (scopeSuffices(held, scopeOfRoute)) return
  throw new AppError(
    'FORBIDDEN',
    scopeOfRoute === 'session'
      ? 'This action requires an interactive session, not an API token. Sign in.'
      : `This action requires a token with the scope ${scopeOfRoute}`
  )
}

/** Role and permissions are read on every request, so that changes apply to the next one. */
async function requireGrant(
  { findGrant }: Credentials,
  userId: string,
  roles: readonly Role[],
  permission: Permission | undefined
) {
  const user = await findGrant(userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  if (roles.includes(user.role) || (permission !== undefined && user.permissions.includes(permission))) return
  throw new AppError('FORBIDDEN_ROLE', 'Your account does not have permission. Ask an administrator.')
}

/** Whether the caller is an ADMIN, by session or full-scope token; false if that cannot be determined. */
export async function isAdmin(
  { findGrant }: Pick<Credentials, 'findGrant'>,
  { session }: FastifyRequest
): Promise<boolean> {
  if (!session || (session.scope !== undefined && session.scope !== 'full')) return false
  return (await findGrant(session.userId).catch(() => undefined))?.role === 'ADMIN'
}

/** Besides SameSite=Lax, which does not cover writes from a sibling host of the same site. */
export function refuseForeignOrigin(
  request: Pick<FastifyRequest, 'headers' | 'protocol'>,
  config: Pick<Dependencies['config'], 'API_BASE_URL' | 'PANEL_DOMAIN'>
): void {
  const origin = request.headers.origin
  if (origin === undefined) return
  const own = [
    hostOf(`${request.protocol}://${request.headers.host ?? ''}`),
    hostOf(config.API_BASE_URL),
    config.PANEL_DOMAIN
  ]
  const host = hostOf(origin)
  if (host === undefined || !own.includes(host)) {
    throw new AppError('FORBIDDEN', 'This request comes from another site')
  }
}

const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Host and port as in URLs, without the default port. */
const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

function hasMetricsToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  return token !== undefined && given !== undefined && sameSecret(given, token)
}
