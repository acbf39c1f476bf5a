import type { FastifyInstance, FastifyRequest } from 'fastify'
import { eq } from 'drizzle-orm'
import type { Permission, Role } from '@panel/contract/users'
import type { Dependencies } from '../dependencies.ts'
import { users } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { limitKey } from './client-ip.ts'
import { sameSecret } from './same-secret.ts'
import { resolveSession, type Session } from './session.ts'

/** Who may call a route. Each route of the API names one; there is no default. */
export type Access =
  | { kind: 'public' }
  | { kind: 'session' }
  | { kind: 'role'; roles: readonly Role[]; permission?: Permission }
  /** An ADMIN session, or METRICS_TOKEN as a bearer. */
  | { kind: 'metrics' }

/** Where the reference page lies. */
export const docsPrefix = '/api/docs'

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
    /** Counts against the limit of authentication endpoints, per client and route. */
    rateLimited?: boolean
  }
  interface FastifyRequest {
    /** Set by the gate; use `sessionOf`. */
    session: Session | null
  }
}

/** The caller's session, in a route behind `sessionAccess` or a role. */
export function sessionOf(request: FastifyRequest): Session {
  if (!request.session) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  return request.session
}

type Deps = Pick<Dependencies, 'authLimiter' | 'config' | 'db' | 'logger' | 'now' | 'sessions'>

/**
 * The gate in front of every route: rate limit, origin, session, role. It runs before the body is read, so that a stranger
 * learns nothing from a validation error. A route of the API without `access` is a mistake of ours and stops the start.
 */
export function addGate(app: FastifyInstance, deps: Deps): void {
  app.decorateRequest('session', null)

  app.addHook('onRoute', (route) => {
    // The reference page's plugin makes its routes itself.
    if (route.url.startsWith(docsPrefix)) route.config = { ...route.config, access: publicAccess }
    if (route.url.startsWith('/api/') && !route.config?.access)
      throw new Error(`${String(route.method)} ${route.url} names no access`)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { access, rateLimited } = request.routeOptions.config
    if (rateLimited) {
      const waitSeconds = await deps.authLimiter.hit(`${request.routeOptions.url}|${limitKey(request.ip)}`)
      if (waitSeconds !== undefined) {
        void reply.header('Retry-After', waitSeconds)
        throw new AppError('RATE_LIMITED', `Too many tries. Try again in ${waitSeconds} seconds.`)
      }
    }
    if (access?.kind === 'public') return
    if (access?.kind === 'metrics' && hasMetricsToken(request, deps.config.METRICS_TOKEN)) return
    const session = await resolveSession(deps, request, reply)
    if (!session) throw new AppError('UNAUTHENTICATED', 'Sign in first')
    request.session = session
    if (!access) return
    refuseForeignOrigin(request, deps.config)
    if (access.kind === 'role') await requireGrant(deps, session.userId, access.roles, access.permission)
    if (access.kind === 'metrics') await requireGrant(deps, session.userId, ['ADMIN'], undefined)
  })
}

/** Role and permissions are read on every request, so that grants and revocations apply on the next one. */
async function requireGrant(
  deps: Pick<Deps, 'db'>,
  userId: string,
  roles: readonly Role[],
  permission: Permission | undefined
) {
  const [user] = await deps.db
    .select({ role: users.role, permissions: users.permissions })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  if (roles.includes(user.role) || (permission !== undefined && user.permissions.includes(permission))) return
  throw new AppError('FORBIDDEN_ROLE', 'Your account may not do this; ask an administrator')
}

/** SameSite=Lax keeps the cookie off cross-site writes; this also holds for a sibling host of the same site. */
function refuseForeignOrigin(request: FastifyRequest, config: Dependencies['config']): void {
  const origin = request.headers.origin
  if (origin === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
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

/** Host and port as URLs write them: without the default port. */
const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

function hasMetricsToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  return token !== undefined && given !== undefined && sameSecret(given, token)
}
