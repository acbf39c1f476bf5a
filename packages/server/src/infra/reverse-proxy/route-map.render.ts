import { isRoutableName } from './routable-name.ts'
import { parseIpv4, parseSubnet } from './ipv4.ts'
import { type ContainerNetwork, type Route, RouteRefusedError, type RouteTarget } from './reverse-proxy.ts'

/** Key and value of every route, as the proxy's map holds them. */
export type RouteTable = Map<string, string>

const pathPrefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/
const pathPrefixMaxLength = 255
// What renderRouteMap writes. `$` would also match before a final line feed in other dialects; in JavaScript it does not.
const linePattern =
  /^([a-z0-9.*-]+\/(?:[A-Za-z0-9._~-]+\/)*) ((?:[0-9.]+|stopped|starting|panel|mail|nothing):[0-9]+:[01](?::[A-Za-z0-9_-]{1,64})?)$/

const wordTargets: readonly string[] = ['stopped', 'starting', 'panel', 'mail', 'nothing']

/**
 * The map's key, `<host><prefix>/`. The proxy looks up `<host><path>/` and takes the longest key that it begins with; the slash
 * at the end makes `/app` match `/app` and `/app/x` and never `/apple`. Throws RouteRefusedError on anything that is not strictly
 * a host name and a prefix: a key reaches the proxy's admin socket, where `;` and a line feed begin another command.
 */
export function renderRouteKey(hostname: string, pathPrefix?: string): string {
  if (!isRoutableName(hostname)) refuse('host name', hostname)
  if (pathPrefix === undefined) return `${hostname}/`
  if (pathPrefix.length > pathPrefixMaxLength || !pathPrefixPattern.test(pathPrefix)) refuse('path prefix', pathPrefix)
  return `${hostname}${pathPrefix}/`
}

/** The map's value: `<address>:<port>:<force HTTPS>[:<site>]`, or a word in place of the address and 0 for the port. */
export function renderRouteValue(
  { target, forceHttps, site }: Pick<Route, 'target' | 'forceHttps' | 'site'>,
  network: ContainerNetwork
): string {
  if (site !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(site)) refuse('site', site)
  return `${renderTarget(target, network)}:${forceHttps ? 1 : 0}${site === undefined ? '' : `:${site}`}`
}

/** All routes as a table in the order of their keys. Throws RouteRefusedError on a route that is none, and on two for one key. */
export function renderRouteTable(routes: readonly Route[], network: ContainerNetwork): RouteTable {
  const table: RouteTable = new Map()
  for (const { hostname, pathPrefix, ...route } of routes) {
    const key = renderRouteKey(hostname, pathPrefix)
    if (table.has(key)) refuse('second route', key)
    table.set(key, renderRouteValue(route, network))
  }
  return table
}

/** The text of routes.map: one `key value` per line, sorted, the same for the same routes in any order. */
export function renderRouteMap(table: RouteTable): string {
  return [...table]
    .map(([key, value]) => `${key} ${value}\n`)
    .sort()
    .join('')
}

/** Reads what renderRouteMap wrote. A line that it cannot have written is left out, as the proxy's guards would refuse it. */
export function parseRouteMap(text: string): RouteTable {
  const table: RouteTable = new Map()
  for (const line of text.split('\n')) {
    const [, key, value] = linePattern.exec(line) ?? []
    if (key !== undefined && value !== undefined) table.set(key, value)
  }
  return table
}

function renderTarget(target: RouteTarget, network: ContainerNetwork): string {
  if (target.kind !== 'container') {
    if (!wordTargets.includes(target.kind)) refuse('target', target)
    return `${target.kind}:0`
  }
  const { address, port } = target
  if (!isContainerAddress(address, network)) refuse('container address', address)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('port', port)
  return `${address}:${port}`
}

/** Inside a network, and neither a gateway (the host: a loop, or its private services) nor the first or last address. */
function isContainerAddress(text: string, network: ContainerNetwork): boolean {
  const subnet = parseSubnet(network.subnet)
  const gateway = parseIpv4(network.gateway)
  const pools = network.pools.map(parseSubnet)
  if (!subnet || gateway === undefined || pools.includes(undefined))
    throw new RouteRefusedError('The container network is not known')
  const address = typeof text === 'string' ? parseIpv4(text) : undefined
  if (address === undefined) return false
  if (!pools.some((pool) => address >= pool!.first && address <= pool!.last))
    return address > subnet.first && address < subnet.last && address !== gateway
  const size = 2 ** (32 - network.networkPrefix)
  return address % size > 1 && address % size < size - 1
}

function refuse(what: string, value: unknown): never {
  throw new RouteRefusedError(`The reverse proxy refuses the ${what} ${String(JSON.stringify(value)).slice(0, 100)}`)
}
