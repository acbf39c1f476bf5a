import type { FirewallRules } from './host-firewall.ts'

// Before the chains of the container engine (priority 0), which accept.
const priority = -10

/**
 * Connections of one container to a service at once: an engine counts those who never log in among all that it takes, and would not notice
 * who is to blame. As many as the account of one database has; for containers whose account is not known yet it is the only limit.
 */
const connectionsPerContainer = 40

// The key of a set cannot be a look-up in a map (nft 1.0.6), so the account goes by way of the packet's mark.
const accountsMap = 'accounts'

/** Where clouds answer questions about the machine, with credentials among the answers. IPv4 link-local is all theirs. */
const metadataAddresses = {
  ip: ['169.254.0.0/16', '100.100.100.200'],
  ip6: ['fe80::/10', 'fd00:ec2::254', 'fd20:ce::254']
}

/**
 * The whole table as text for `nft -f -`: one transaction, in which a previous table goes and the new one comes. Declared before it is
 * deleted, since deleting what is not there is an error.
 */
export function renderTable(table: string, rules: FirewallRules): string {
  const bridges = [`${name(rules.bridgePrefix)}*`, ...rules.bridges.map(name)]
  const each = (statement: (bridge: string) => string) => bridges.map((bridge) => `    ${statement(bridge)}\n`).join('')
  const dns = rules.nameservers.map(address)
  const toNameservers =
    dns.length === 0 ? '' : `    ip daddr { ${dns.join(', ')} } meta l4proto { tcp, udp } th dport 53 accept\n`
  const ports = rules.openPorts.map(port)
  const toPorts = ports.length === 0 ? '' : `    tcp dport { ${[...new Set(ports)].join(', ')} } accept\n`
  const { ip, ip6 } = metadataAddresses
  const { services } = rules
  const toServices = `ip daddr ${address(services.address)} tcp dport { ${services.ports.map(port).join(', ')} }`
  const forServices =
    services.ports.length === 0
      ? ''
      : `    iifname "${name(services.bridge)}" ${toServices} ct state new jump new_service_connections
    iifname "${name(services.bridge)}" ${toServices} accept
    iifname != "lo" ${toServices} drop
`
  return `table inet ${name(table)}
delete table inet ${name(table)}
table inet ${name(table)} {
  map ${accountsMap} {
    type ipv4_addr : mark
  }
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
  chain new_service_connections {
    add @service_containers { ip saddr . tcp dport ct count over ${connectionsPerContainer} } drop
    meta mark set ip saddr map @${accountsMap} add @service_accounts { meta mark . tcp dport ct count over ${whole(services.connectionsPerAccount)} } drop
    meta mark set 0
  }
  chain from_containers_to_host {
    ct state established,related accept
${toNameservers}${toPorts}    drop
  }
  chain from_containers_to_elsewhere {
${toNameservers}    ip daddr { ${ip.join(', ')} } drop
    ip6 daddr { ${ip6.join(', ')} } drop
${each((bridge) => `oifname "${bridge}" drop`)}  }
  chain input {
    type filter hook input priority ${priority}
    policy accept
${forServices}${each((bridge) => `iifname "${bridge}" jump from_containers_to_host`)}  }
  chain forward {
    type filter hook forward priority ${priority}
    policy accept
${each((bridge) => `iifname "${bridge}" jump from_containers_to_elsewhere`)}  }
}
`
}

/** What says of each address whose it is, as one transaction. */
export function renderAccounts(table: string, accountsByAddress: ReadonlyMap<string, number>): string {
  const map = `inet ${name(table)} ${accountsMap}`
  const elements = [...accountsByAddress].map(([from, account]) => `${address(from)} : ${whole(account)}`)
  return `flush map ${map}\n${elements.length === 0 ? '' : `add element ${map} { ${elements.join(', ')} }\n`}`
}

/** Nothing that comes in from outside may become a rule. */
function name(text: string): string {
  if (!/^[a-z][a-z0-9_-]{0,30}$/i.test(text))
    throw new TypeError(`Not a name for the firewall: ${JSON.stringify(text)}`)
  return text
}

function address(text: string): string {
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) throw new TypeError(`Not an IPv4 address: ${JSON.stringify(text)}`)
  return text
}

/** Zero is the mark of what has none. */
function whole(value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > 0xffff_ffff)
    throw new TypeError(`Not a number for the firewall: ${value}`)
  return value
}

function port(value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > 65_535) throw new TypeError(`Not a port: ${value}`)
  return value
}
