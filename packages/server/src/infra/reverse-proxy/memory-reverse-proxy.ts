import { AppError } from '../../errors.ts'
import type { ContainerNetwork, ReverseProxy, Route } from './reverse-proxy.ts'
import { renderRouteKey, renderRouteTable, renderRouteValue } from './route-map.render.ts'

/** A ReverseProxy in memory, with what tests look at and turn. */
export interface MemoryReverseProxy extends ReverseProxy {
  /** By key, `<host><prefix>/`. */
  readonly routes: Map<string, Route>
  /** By `<address>:<port>`, for connectionCount. */
  readonly connections: Map<string, number>
  /** While true, every call rejects with REVERSE_PROXY_UNAVAILABLE. */
  fail: boolean
  /** The route that a request would take. */
  find(hostname: string, path: string): Route | undefined
}

/** Refuses the same routes as the real one; without a network every unicast address is a container's. */
export function createMemoryReverseProxy(
  network: ContainerNetwork = { subnet: '0.0.0.0/0', gateway: '0.0.0.0' }
): MemoryReverseProxy {
  const routes = new Map<string, Route>()
  const connections = new Map<string, number>()
  const assertAvailable = () => {
    if (proxy.fail) throw new AppError('REVERSE_PROXY_UNAVAILABLE', 'The reverse proxy does not answer')
  }
  const findByKey = (key: string): Route | undefined => {
    const longest = [...routes.keys()]
      .filter((candidate) => key.startsWith(candidate))
      .sort((a, b) => b.length - a.length)
    return longest[0] === undefined ? undefined : routes.get(longest[0])
  }
  const proxy: MemoryReverseProxy = {
    routes,
    connections,
    fail: false,
    find(hostname, path) {
      return findByKey(`${hostname}${path}/`) ?? findByKey(`${hostname.replace(/^[^.]+/, '*')}${path}/`)
    },
    async ping() {
      assertAvailable()
      return 'memory'
    },
    async set(route) {
      const key = renderRouteKey(route.hostname, route.pathPrefix)
      renderRouteValue(route.target, route.forceHttps, network)
      assertAvailable()
      routes.set(key, structuredClone(route))
    },
    async remove(hostname, pathPrefix) {
      const key = renderRouteKey(hostname, pathPrefix)
      assertAvailable()
      routes.delete(key)
    },
    async sync(wanted) {
      const before = renderRouteTable([...routes.values()], network)
      const after = renderRouteTable(wanted, network)
      assertAvailable()
      routes.clear()
      for (const route of wanted) routes.set(renderRouteKey(route.hostname, route.pathPrefix), structuredClone(route))
      return before.size !== after.size || [...after].some(([key, value]) => before.get(key) !== value)
    },
    async connectionCount(address, port) {
      assertAvailable()
      return connections.get(`${address}:${port}`) ?? 0
    }
  }
  return proxy
}
