import type { ProxyLimits } from '../../net/connection-limits.policy.ts'
import { parseIpv4, parseSubnet } from './ipv4.ts'
import type { ContainerNetwork } from './reverse-proxy.ts'

export interface HaproxyConfigOptions {
  /** Holds the configuration, the routes and the pages. */
  directory: string
  /** Holds the certificates with their plaintext keys: on a file system in memory, if there is one. */
  certificateDirectory: string
  /** A short path for the sockets: a UNIX socket's path has at most 107 bytes. */
  runtimeDirectory: string
  /** `0.0.0.0:80`, `[::]:80`. */
  httpBinds: readonly string[]
  httpsBinds: readonly string[]
  limits: ProxyLimits
  /** Addresses and networks whose connections are those of many clients: a balancer before this proxy. None of the limits per client is theirs. */
  unlimitedSources: readonly string[]
  /** The proxy connects to nothing else, but for the panel. */
  network: ContainerNetwork
  panel: PanelUpstream
  /** Whom the workers become that speak with the Internet, once they have read and bound all: only root can say so. */
  user?: { uid: number; gid: number }
}

export interface PanelUpstream {
  host: string
  port: number
  /** Where the proxy connects from, and the header by which it proves itself: then the panel believes whom a request is from. */
  source: string
  header: string
  secret: string
  /** Connections to the panel at once: of requests, and beside them of those who have its live channel open. */
  connections: number
  liveConnections: number
}

/** Throws on a value that must not appear in the configuration. */
export function checkHaproxyOptions({
  httpBinds,
  httpsBinds,
  limits,
  unlimitedSources,
  network,
  panel,
  user
}: HaproxyConfigOptions) {
  for (const bind of [...httpBinds, ...httpsBinds])
    if (!isBind(bind)) throw new Error(`Not an address to listen on: ${bind}`)
  if (httpBinds.length + httpsBinds.length === 0) throw new Error('The proxy has no address to listen on')
  const { perAddress, perContainer, ...others } = limits
  for (const limit of [perAddress, perContainer, others, [panel.connections, panel.liveConnections]].flatMap((part) =>
    Object.values(part)
  ))
    if (!Number.isInteger(limit) || limit < 1) throw new Error(`Not a number of connections: ${limit}`)
  for (const source of unlimitedSources)
    if (!isNetwork(source)) throw new Error(`Not an address or a network: ${source}`)
  if (unlimitedSources.length === 0) throw new Error('This machine itself must be among the unlimited sources')
  checkNetwork(network)
  if ([panel.host, panel.source].some((address) => parseIpv4(address) === undefined) || !isPort(String(panel.port)))
    throw new Error(`Not an address of the panel: ${panel.host}:${panel.port} from ${panel.source}`)
  if (!/^x(-[a-z]+)+$/.test(panel.header) || !/^[0-9a-f]{64}$/.test(panel.secret))
    throw new Error('Not a header by which the proxy can prove itself')
  if (user && !(Number.isInteger(user.uid) && user.uid > 0 && Number.isInteger(user.gid) && user.gid > 0))
    throw new Error(`Not a user of the proxy: ${user.uid}:${user.gid}`)
}

/** Characters of addresses alone; that it is one, the configuration has been asked before. */
const isNetwork = (text: string): boolean => /^[0-9a-f.:]+(\/[0-9]{1,3})?$/.test(text)

function isBind(bind: string): boolean {
  const [, address = '', port = ''] = /^(\[[0-9a-f:]+\]|[0-9.]+):([0-9]+)$/.exec(bind) ?? []
  return (address.startsWith('[') || parseIpv4(address) !== undefined) && isPort(port)
}

function checkNetwork({ subnet: cidr, gateway, pools, networkPrefix }: ContainerNetwork) {
  for (const each of [cidr, ...pools]) if (!parseSubnet(each)) throw new Error(`Not a subnet: ${each}`)
  const subnet = parseSubnet(cidr)!
  const address = parseIpv4(gateway)
  if (address === undefined || address < subnet.first || address > subnet.last)
    throw new Error(`The gateway is not an address of ${cidr}: ${gateway}`)
  if (!Number.isInteger(networkPrefix) || networkPrefix < 24 || networkPrefix > 30)
    throw new Error(`Not the size of a network: ${networkPrefix}`)
}

const isPort = (text: string): boolean => /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535
