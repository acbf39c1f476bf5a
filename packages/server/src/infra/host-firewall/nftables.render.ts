import type { AccountNetwork, Egress, FirewallRules } from './host-firewall.ts'

// Before the engine's chains (priorities 0 and -100), which accept.
const filterPriority = -10
const natPriority = -110

// Concurrent connections of one container to a service: engines count unauthenticated connections towards their global
// limit and cannot tell whose they are. Equals the limit of one database's account.
const connectionsPerContainer = 40

// What grows with accounts is in maps and sets, which cost one lookup per packet. A set's key cannot be a map lookup
// (nft 1.0.6), so the account is passed in the packet mark.
const accountsMap = 'accounts'
const gatewaysSet = 'gateways'
const reachableSet = 'reachable'
/** Tells other panels on the machine which subnets are ours, even unused ones. */
export const poolsSet = 'pools'

/** Cloud metadata services, which hand out credentials; includes all of IPv4 link-local. */
const metadataAddresses = {
  ip: ['169.254.0.0/16', '100.100.100.200'],
  ip6: ['fe80::/10', 'fd00:ec2::254', 'fd20:ce::254']
}

/** RFC 1918, RFC 6598 (carrier-grade NAT) and RFC 4193 (unique local). Link-local is blocked above. */
const privateAddresses = { ip: ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16'], ip6: ['fc00::/7'] }

/** One transaction. Declared before it is deleted, because deleting a missing table fails. */
export function renderTable(table: string, rules: FirewallRules): string {
  const { defaultBridge } = rules
  const others = defaultBridge === undefined ? rules.bridges : [...rules.bridges, defaultBridge]
  const bridges = [`${name(rules.bridgePrefix)}*`, ...others.map(name)]
  const each = (statement: (bridge: string) => string) => bridges.map((bridge) => `    ${statement(bridge)}\n`).join('')
  const dns = rules.nameservers.map(ipv4)
  const toNameservers =
    dns.length === 0 ? '' : `    ip daddr { ${dns.join(', ')} } meta l4proto { tcp, udp } th dport 53 accept\n`
  const openPorts = [...new Set(rules.openPorts)]
  const toOpenPorts = openPorts.length === 0 ? '' : `    ${toPorts(openPorts)} accept\n`
  const { ip, ip6 } = metadataAddresses
  return `table inet ${name(table)}
delete table inet ${name(table)}
table inet ${name(table)} {
  map ${accountsMap} {
    type ifname : mark
  }
  set ${gatewaysSet} {
    type mark . ipv4_addr
  }
  set ${reachableSet} {
    type ifname . ipv4_addr . inet_service
  }
  set ${poolsSet} {
    type ipv4_addr
    flags interval
${elements(rules.pools.map(ipv4Network))}  }
  set service_containers {
    type ipv4_addr . inet_service
    size 65535
    flags dynamic
  }
  set service_accounts {
    type mark . inet_service
    size 65535
    flags dynamic
  }
${renderServices(rules)}  chain from_containers_to_host {
    ct state established,related accept
${toNameservers}${toOpenPorts}    drop
  }
  chain from_containers_to_elsewhere {
    ct direction reply accept
${toNameservers}    ip daddr { ${ip.join(', ')} } drop
    ip6 daddr { ${ip6.join(', ')} } drop
    iifname . ip daddr . tcp dport @${reachableSet} accept
${each((bridge) => `oifname "${bridge}" drop`)}${renderTunnelExit(rules)}${renderEgress(rules)}  }
  chain input {
    type filter hook input priority ${filterPriority}
    policy accept
${renderWayToServices(rules)}${each((bridge) => `iifname "${bridge}" jump from_containers_to_host`)}  }
  chain forward {
    type filter hook forward priority ${filterPriority}
    policy accept
${renderVisitors(rules)}${renderTunnelEntry(rules)}${each((bridge) => `iifname "${bridge}" jump from_containers_to_elsewhere`)}  }
}
${renderNetworks(table, rules.networks)}`
}

/**
 * Steps of different accounts share the engine's default bridge. The table above stops packets between them; this one also
 * stops ARP, with which a step could take its neighbour's traffic to the gateway.
 */
export function renderBridgeTable(table: string, { defaultBridge }: Pick<FirewallRules, 'defaultBridge'>): string {
  const empty = `table bridge ${name(table)}\ndelete table bridge ${name(table)}\n`
  if (defaultBridge === undefined) return empty
  return `${empty}table bridge ${name(table)} {
  chain forward {
    type filter hook forward priority 0
    policy accept
    meta ibrname "${name(defaultBridge)}" drop
  }
}
`
}

const toPorts = (ports: readonly number[]): string => `tcp dport { ${ports.map(port).join(', ')} }`

function renderServices({ bridgePrefix, services }: FirewallRules): string {
  if (services.ports.length === 0) return ''
  const account = `meta mark set iifname map @${accountsMap}`
  const { ports, relays } = services
  const ways = relays === undefined ? [['', '']] : ports.map((each) => [`tcp dport ${port(each)} `, `:${port(relays[each]!)}`]) // oxfmt-ignore
  const translations = ways.map(
    ([only, at]) =>
      `    meta mark . ip daddr @${gatewaysSet} ${only}meta mark set 0 dnat ip to ${ipv4(services.address)}${at}\n`
  )
  return `  chain to_services {
    ${account}
${translations.join('')}    meta mark set 0
  }
  chain prerouting {
    type nat hook prerouting priority ${natPriority}
    policy accept
    iifname "${name(bridgePrefix)}*" ${toPorts(ports)} jump to_services
  }
  chain new_service_connections {
    add @service_containers { ip saddr . tcp dport ct count over ${connectionsPerContainer} } drop
    ${account} add @service_accounts { meta mark . tcp dport ct count over ${whole(services.connectionsPerAccount)} } drop
    meta mark set 0
  }
`
}

function renderWayToServices({ bridgePrefix, buildBridgePrefix, services }: FirewallRules): string {
  if (services.ports.length === 0) return ''
  const { ports, relays } = services
  const there = toPorts(ports.map((each) => relays?.[each] ?? each))
  const service = `ip daddr ${ipv4(services.address)} ${there}`
  const ways = [
    ...(relays === undefined ? [`iifname "${name(services.bridge)}"`] : []),
    `iifname "${name(bridgePrefix)}*" iifname != "${name(buildBridgePrefix)}*"${services.isAddressShared ? '' : ' ct status dnat'}`
  ]
  const open = ways.map(
    (way) => `    ${way} ${service} ct state new jump new_service_connections\n    ${way} ${service} accept\n`
  )
  // An SSH server with GatewayPorts has relays at every address. Replies to others that come from such a port may pass.
  const closed = relays === undefined ? service : `${there} ct state new`
  return `${open.join('')}    iifname != "lo" ${closed} drop\n`
}

/** Ports that the engine publishes to a network are for the proxy alone. */
function renderVisitors({ bridgePrefix, visitors, tunnel }: FirewallRules): string {
  if (visitors === undefined) return ''
  const bridges = `"${name(bridgePrefix)}*"`
  // Without the interface, a neighbour could send to the machine's address in the encrypted network, as if from the panel's.
  const outside = tunnel
    ? `    iifname != ${bridges} iifname != "${name(tunnel.interface)}" oifname ${bridges} ct direction original drop\n`
    : ''
  return `${outside}    iifname != ${bridges} oifname ${bridges} ct direction original ip saddr != { ${visitors.map(ipv4).join(', ')} } drop\n`
}

/** From the encrypted network only what visitors may reach is forwarded; on the panel's machine, nothing. */
function renderTunnelEntry({ bridgePrefix, tunnel, visitors }: FirewallRules): string {
  if (tunnel === undefined) return ''
  const elsewhere = visitors === undefined ? '' : ` oifname != "${name(bridgePrefix)}*"`
  return `    iifname "${name(tunnel.interface)}"${elsewhere} drop\n`
}

function renderTunnelExit({ tunnel }: FirewallRules): string {
  if (tunnel === undefined) return ''
  const out = `    oifname "${name(tunnel.interface)}"`
  const { open } = tunnel
  return `${open ? `${out} ip daddr ${ipv4(open.address)} ${toPorts(open.ports)} accept\n` : ''}${out} drop\n`
}

/** Rejects instead of dropping, so that programs fail immediately. */
function renderEgress({ buildBridgePrefix, defaultBridge, egress }: FirewallRules): string {
  const builds = [`${name(buildBridgePrefix)}*`, ...(defaultBridge === undefined ? [] : [name(defaultBridge)])]
  const from = egress.allowSmtp ? builds.map((bridge) => `iifname "${bridge}" `) : ['']
  const smtp = from.map((bridge) => `${bridge}tcp dport 25 reject with tcp reset`)
  if (!egress.denyPrivate) return smtp.map((line) => `    ${line}\n`).join('')
  const lines = [
    ...smtp,
    ...egress.allow.map(renderAllowed),
    `ip daddr { ${privateAddresses.ip.join(', ')} } reject with icmpx admin-prohibited`,
    `ip6 daddr { ${privateAddresses.ip6.join(', ')} } reject with icmpx admin-prohibited`
  ]
  return lines.map((line) => `    ${line}\n`).join('')
}

function renderAllowed({ to, port: only }: Egress['allow'][number]): string {
  const family = to.includes(':') ? 'ip6' : 'ip'
  return `${family} daddr ${family === 'ip6' ? ipv6Network(to) : ipv4Network(to)}${only === undefined ? '' : ` tcp dport ${port(only)}`} accept`
}

export function renderNetworks(table: string, networks: readonly AccountNetwork[]): string {
  const [accounts, gateways, reachable] = [accountsMap, gatewaysSet, reachableSet].map(
    (set) => `inet ${name(table)} ${set}`
  )
  const flush = `flush map ${accounts}\nflush set ${gateways}\nflush set ${reachable}\n`
  if (networks.length === 0) return flush
  const ofAccounts = networks.map(({ bridge, account }) => `"${name(bridge)}" : ${whole(account)}`)
  return `${flush}add element ${accounts} { ${ofAccounts.join(', ')} }\n${renderGateways(table, networks)}${networks.map((network) => renderReachable(table, network)).join('')}`
}

export const renderNetwork = (table: string, network: AccountNetwork): string =>
  `add element inet ${name(table)} ${accountsMap} { "${name(network.bridge)}" : ${whole(network.account)} }
${renderGateways(table, [network])}${renderReachable(table, network)}`

function renderGateways(table: string, networks: readonly AccountNetwork[]): string {
  const all = networks.flatMap(({ account, gateways }) => gateways.map((each) => `${whole(account)} . ${ipv4(each)}`))
  if (all.length === 0) return ''
  return `add element inet ${name(table)} ${gatewaysSet} { ${[...new Set(all)].join(', ')} }\n`
}

/** nft accepts elements that exist already. */
function renderReachable(table: string, { bridge, reachable }: AccountNetwork): string {
  if (reachable.length === 0) return ''
  const services = reachable.map((service) => `"${name(bridge)}" . ${ipv4(service.address)} . ${port(service.port)}`)
  return `add element inet ${name(table)} ${reachableSet} { ${services.join(', ')} }\n`
}

const elements = (all: readonly string[]): string => (all.length === 0 ? '' : `    elements = { ${all.join(', ')} }\n`)

/** Keeps untrusted text out of the rules. */
function name(text: string): string {
  if (!/^[a-z][a-z0-9_-]{0,30}$/i.test(text)) throw new TypeError(`Invalid firewall name: ${JSON.stringify(text)}`)
  return text
}

function ipv4(text: string): string {
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) throw new TypeError(`Not an IPv4 address: ${JSON.stringify(text)}`)
  return text
}

function ipv4Network(text: string): string {
  ipv4(text.replace(/\/\d{1,2}$/, ''))
  return text
}

function ipv6Network(text: string): string {
  if (!/^[0-9a-f:.]{2,45}(\/\d{1,3})?$/i.test(text)) throw new TypeError(`Not an IPv6 network: ${JSON.stringify(text)}`)
  return text
}

function whole(value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > 0xffff_ffff)
    throw new TypeError(`Invalid firewall mark: ${value}`)
  return value
}

function port(value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > 65_535) throw new TypeError(`Not a port: ${value}`)
  return value
}
