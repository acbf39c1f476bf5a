import { isRoutableName } from './routable-name.ts'
import { parseIpv4, parseSubnet } from './ipv4.ts'
import {
  poolCount,
  type ContainerNetwork,
  type InstancePool,
  type Route,
  RouteRefusedError,
  type RouteTarget
} from './reverse-proxy.ts'

export type RouteTable = Map<string, string>

const pathPrefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/
const pathPrefixMaxLength = 255
const linePattern =
  /^([a-z0-9.*-]+\/(?:[A-Za-z0-9._~-]+\/)*) ((?:[0-9.]+|stopped|starting|panel|mail|nothing):[0-9]+:[01](?::[A-Za-z0-9_-]{1,64}|:[A-Za-z0-9_-]{0,64}:[A-Za-z0-9_-]{1,64}|:[A-Za-z0-9_-]{0,64}:[A-Za-z0-9_-]{0,64}:sleeping)?)$/

const wordTargets: readonly string[] = ['stopped', 'starting', 'panel', 'mail', 'nothing']

/**
 * Longest prefix wins; the trailing slash makes `/app` match `/app/x` but not `/apple`. Throws RouteRefusedError: keys
 * are used in admin socket commands, where `;` and line feeds start another command.
 */
export function renderRouteKey(hostname: string, pathPrefix?: string): string {
  if (!isRoutableName(hostname)) refuse('hostname', hostname)
  if (pathPrefix === undefined) return `${hostname}/`
  if (pathPrefix.length > pathPrefixMaxLength || !pathPrefixPattern.test(pathPrefix)) refuse('path prefix', pathPrefix)
  return `${hostname}${pathPrefix}/`
}

/** Map value `<address>:<port>:<force HTTPS>[:<site>[:<rules>[:sleeping]]]`; other targets have a keyword as address and port 0. */
export function renderRouteValue(
  { target, forceHttps, site, rules }: Pick<Route, 'target' | 'forceHttps' | 'site' | 'rules'>,
  network: ContainerNetwork
): string {
  for (const id of [site, rules]) if (id !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(id)) refuse('id', id)
  const last = target.kind === 'sleeping' ? [site, rules, 'sleeping'] : rules === undefined ? [site] : [site, rules]
  const more = last.every((field) => field === undefined) ? '' : last.map((field) => `:${field ?? ''}`).join('')
  return `${renderTarget(target, network)}:${forceHttps ? 1 : 0}${more}`
}

/** Throws RouteRefusedError on an invalid or duplicate route. */
export function renderRouteTable(routes: readonly Route[], network: ContainerNetwork): RouteTable {
  const table: RouteTable = new Map()
  for (const { hostname, pathPrefix, ...route } of routes) {
    const key = renderRouteKey(hostname, pathPrefix)
    if (table.has(key)) refuse('second route', key)
    table.set(key, renderRouteValue(route, network))
  }
  return table
}

export function renderRouteMap(table: RouteTable): string {
  return [...table]
    .map(([key, value]) => `${key} ${value}\n`)
    .sort()
    .join('')
}

/** Parses routes.map and skips lines that renderRouteMap cannot have written; the proxy's rules would deny them. */
export function parseRouteMap(text: string): RouteTable {
  const table: RouteTable = new Map()
  for (const line of text.split('\n')) {
    const [, key, value] = linePattern.exec(line) ?? []
    if (key !== undefined && value !== undefined) table.set(key, value)
  }
  return table
}

function renderTarget(target: RouteTarget, network: ContainerNetwork): string {
  if (target.kind === 'pool') return `0.0.${target.isSticky ? 1 : 0}.${checkedPool(target.number)}:1`
  if (target.kind !== 'container' && target.kind !== 'sleeping') {
    if (!wordTargets.includes(target.kind)) refuse('target', target)
    return `${target.kind}:0`
  }
  return renderEndpoint(target, network)
}

export function renderEndpoint(
  { address, port }: { address: string; port: number },
  network: ContainerNetwork
): string {
  if (!isContainerAddress(address, network)) refuse('container address', address)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse('port', port)
  return `${address}:${port}`
}

const checkedPool = (number: number): number =>
  Number.isInteger(number) && number >= 1 && number <= poolCount ? number : refuse('pool', number)

/** Throws RouteRefusedError on values that must not reach the admin socket. */
export function checkPool({ number, members }: InstancePool, network: ContainerNetwork): void {
  checkedPool(number)
  for (const member of members) renderEndpoint(member, network)
}

/** Not a gateway, which is the host: a loop, or its private services. */
function isContainerAddress(text: string, network: ContainerNetwork): boolean {
  const subnet = parseSubnet(network.subnet)
  const gateway = parseIpv4(network.gateway)
  const pools = network.pools.map(parseSubnet)
  if (!subnet || gateway === undefined || pools.includes(undefined))
    throw new RouteRefusedError('The container network is invalid')
  const address = typeof text === 'string' ? parseIpv4(text) : undefined
  if (address === undefined) return false
  if (network.machines?.has(text)) return true
  if (!pools.some((pool) => address >= pool!.first && address <= pool!.last))
    return address > subnet.first && address < subnet.last && address !== gateway
  const size = 2 ** (32 - network.networkPrefix)
  return address % size > 1 && address % size < size - 1
}

function refuse(what: string, value: unknown): never {
  throw new RouteRefusedError(`Invalid ${what}: ${String(JSON.stringify(value)).slice(0, 100)}`)
}
