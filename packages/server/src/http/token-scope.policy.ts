import type { TokenScope } from '@panel/contract/api-tokens'

export type RouteScope = TokenScope | 'session'

// Routes that create, show or revoke credentials. Matched by URL, so that new ones are covered too.
const credentialRoutes = /^\/api\/(auth\/(?!me$)|users\/:id\/(2fa|sessions)(\/|$))/

export function routeScope(method: string, url: string, own: RouteScope | undefined): RouteScope {
  if (own !== undefined) return own
  if (credentialRoutes.test(url)) return 'session'
  return method === 'GET' || method === 'HEAD' ? 'read' : 'full'
}

const rank: Record<RouteScope, number> = { read: 1, deploy: 2, full: 3, session: 4 }

export const scopeSuffices = (held: TokenScope, requested: RouteScope): boolean => rank[held] >= rank[requested]
