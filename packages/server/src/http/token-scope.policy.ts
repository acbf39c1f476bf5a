import type { TokenScope } from '@panel/contract/api-tokens'

/** What a route asks of an API token; `session`: no token may, only a signed-in person. */
export type RouteScope = TokenScope | 'session'

// Whatever makes, shows or ends a way in. By address and not by route, so that a new one there is closed too.
const credentialRoutes = /^\/api\/(auth\/(?!me$)|users\/:id\/(2fa|sessions)(\/|$))/

/** The scope that a route asks for: its own word, or what follows from its address and method. */
export function routeScope(method: string, url: string, own: RouteScope | undefined): RouteScope {
  if (own !== undefined) return own
  if (credentialRoutes.test(url)) return 'session'
  return method === 'GET' || method === 'HEAD' ? 'read' : 'full'
}

const rank: Record<RouteScope, number> = { read: 1, deploy: 2, full: 3, session: 4 }

export const scopeSuffices = (held: TokenScope, requested: RouteScope): boolean => rank[held] >= rank[requested]
