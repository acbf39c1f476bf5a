import type { ProxyLimits } from '../../net/connection-limits.policy.ts'
import { checkPool } from './route-map.render.ts'
import { parseIpv4, parseSubnet } from './ipv4.ts'
import type { ContainerNetwork, InstancePool } from './reverse-proxy.ts'

export interface HaproxyConfigOptions {
  directory: string
  /** Contains certificates with plaintext keys; preferably on tmpfs. */
  certificateDirectory: string
  /** Must be short: a Unix socket path has at most 107 bytes. */
  runtimeDirectory: string
  httpBinds: readonly string[]
  httpsBinds: readonly string[]
  /** Where TCP ports are published, as `<address>:<first>-<last>`, and where TLS names are. */
  tcpBinds?: readonly string[]
  tcpTlsBinds?: readonly string[]
  limits: ProxyLimits
  /** Sources shared by many clients, such as a load balancer in front; exempt from the per-client limits. */
  unlimitedSources: readonly string[]
  /** Apart from the panel, the proxy connects only to these networks. */
  network: ContainerNetwork
  /** Undefined on an edge. */
  panel?: PanelUpstream | undefined
  /** Of a proxy on another machine, which serves what the panel's proxy serves (edge.ts). */
  edge?: EdgeState | undefined
  /** Key of the digests of logins (login-digest.ts), 64 hex digits. */
  loginKey: string
  /** User of the workers, which drop root after reading and binding everything. */
  user?: { uid: number; gid: number }
}

/** Relays and pools change while an edge runs: they are in its configuration for its next start, and not in the fingerprint. */
export interface EdgeState {
  /** Ports of its loopback that are forwarded to sockets of the panel's proxy; undefined before the panel has opened them. */
  relays: Readonly<Record<RelayName, number>> | undefined
  pools: readonly InstancePool[]
  /** Digest of the list of certificates, of which each version has another file. */
  certificates: string
}

/** Sockets of the panel's machine that an edge reaches through the panel's connection. */
export const relayNames = ['plain', 'tls', 'traffic'] as const
export type RelayName = (typeof relayNames)[number]

export interface PanelUpstream {
  host: string
  port: number
  source: string
  header: string
  secret: string
  /** Maximum connections to the panel: for requests, and separately for the live channel. */
  connections: number
  liveConnections: number
}

/** Throws on values that must not appear in the configuration. */
export function checkHaproxyOptions({
  httpBinds,
  httpsBinds,
  tcpBinds = [],
  tcpTlsBinds = [],
  limits,
  unlimitedSources,
  network,
  panel,
  edge,
  loginKey,
  user
}: HaproxyConfigOptions) {
  if ((panel === undefined) === (edge === undefined)) throw new Error("A proxy is either the panel's or an edge")
  for (const bind of tcpBinds) if (!isRangeBind(bind)) throw new Error(`Invalid port range: ${bind}`)
  for (const bind of [...httpBinds, ...httpsBinds, ...tcpTlsBinds])
    if (!isBind(bind)) throw new Error(`Invalid listen address: ${bind}`)
  if (httpBinds.length + httpsBinds.length === 0) throw new Error('The proxy has no listen address')
  const { perAddress, perContainer, ...others } = limits
  for (const limit of [
    perAddress,
    perContainer,
    others,
    panel ? [panel.connections, panel.liveConnections] : []
  ].flatMap((part) => Object.values(part)))
    if (!Number.isInteger(limit) || limit < 1) throw new Error(`Invalid number of connections: ${limit}`)
  for (const source of unlimitedSources)
    if (!isNetwork(source)) throw new Error(`Invalid address or network: ${source}`)
  if (unlimitedSources.length === 0) throw new Error('The unlimited sources must include this machine')
  checkNetwork(network)
  if (panel) checkPanel(panel)
  for (const pool of edge?.pools ?? []) checkPool(pool, network)
  for (const port of Object.values(edge?.relays ?? {}))
    if (!isPort(String(port))) throw new Error(`Invalid port of a relay: ${port}`)
  if (!/^[0-9a-f]{64}$/.test(loginKey)) throw new Error('Invalid key for logins')
  if (user && !(Number.isInteger(user.uid) && user.uid > 0 && Number.isInteger(user.gid) && user.gid > 0))
    throw new Error(`Invalid proxy user: ${user.uid}:${user.gid}`)
}

function checkPanel(panel: PanelUpstream): void {
  if ([panel.host, panel.source].some((address) => parseIpv4(address) === undefined) || !isPort(String(panel.port)))
    throw new Error(`Invalid panel address: ${panel.host}:${panel.port} from ${panel.source}`)
  if (!/^x(-[a-z]+)+$/.test(panel.header) || !/^[0-9a-f]{64}$/.test(panel.secret))
    throw new Error('Invalid header for authenticating the proxy')
}

const isNetwork = (text: string): boolean => /^[0-9a-f.:]+(\/[0-9]{1,3})?$/.test(text)

function isBind(bind: string): boolean {
  const [, address = '', port = ''] = /^(\[[0-9a-f:]+\]|[0-9.]+):([0-9]+)$/.exec(bind) ?? []
  return (address.startsWith('[') || parseIpv4(address) !== undefined) && isPort(port)
}

function isRangeBind(bind: string): boolean {
  const [, first = '', last = ''] = /:([0-9]+)-([0-9]+)$/.exec(bind) ?? []
  return isBind(bind.replace(/-[0-9]+$/, '')) && isPort(last) && Number(first) <= Number(last)
}

function checkNetwork({ subnet: cidr, gateway, pools, networkPrefix }: ContainerNetwork) {
  for (const each of [cidr, ...pools]) if (!parseSubnet(each)) throw new Error(`Not a subnet: ${each}`)
  const subnet = parseSubnet(cidr)!
  const address = parseIpv4(gateway)
  if (address === undefined || address < subnet.first || address > subnet.last)
    throw new Error(`The gateway is not an address of ${cidr}: ${gateway}`)
  if (!Number.isInteger(networkPrefix) || networkPrefix < 24 || networkPrefix > 30)
    throw new Error(`Invalid network size: ${networkPrefix}`)
}

const isPort = (text: string): boolean => /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535
