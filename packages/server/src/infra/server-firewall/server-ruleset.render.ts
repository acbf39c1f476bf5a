import { createHash } from 'node:crypto'
import { networkFamily } from '../../net/plain-address.ts'
import { nftName } from './nft-name.ts'
import type { ServerRule, ServerRuleset } from './server-firewall.ts'

interface ServerTable {
  table: string
  /** Connections of the panel's containers pass: the container fence decides about them (infra/host-firewall). */
  bridgePrefix: string
}

// Docker forwards published ports by DNAT at priority -100. A rule after that would see the container's port and
// address, and a rule in `input` would not see the packet at all.
const priority = -101

/** Also the text that a chain of the table is named after, so that we can tell which ruleset is loaded. */
export function renderServerTable(
  { table, bridgePrefix }: ServerTable,
  ruleset: ServerRuleset | undefined
): { text: string; chain: string } {
  const lines = ruleset && chainLines(nftName(bridgePrefix), ruleset)
  const chain = `ruleset_${createHash('sha256')
    .update(JSON.stringify(lines ?? null))
    .digest('hex')
    .slice(0, 16)}`
  // Declared before it is deleted, because deleting a missing table fails. One file is one transaction.
  const emptied = `table inet ${nftName(table)}\ndelete table inet ${nftName(table)}\n`
  if (!lines) return { text: emptied, chain }
  const incoming = lines.map((line) => `    ${line}\n`).join('')
  return {
    text: `${emptied}table inet ${nftName(table)} {\n  chain ${chain} {\n  }\n  chain incoming {\n${incoming}  }\n}\n`,
    chain
  }
}

const chainLines = (bridgePrefix: string, { defaultAction, rules }: ServerRuleset): string[] => [
  `type filter hook prerouting priority ${priority}`,
  'policy accept',
  'iifname "lo" accept',
  `iifname "${bridgePrefix}*" accept`,
  // Forwarded packets, such as the answers to containers, are not for this server.
  'fib daddr type != { local, broadcast, multicast } accept',
  'ct state established,related accept',
  // Without neighbour discovery there is no IPv6, and without DHCP the address is lost when its lease ends.
  'icmpv6 type { nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query, mld-listener-report, mld-listener-done, mld2-listener-report } accept',
  'udp sport 67 udp dport 68 accept',
  'ip6 saddr fe80::/10 udp sport 547 udp dport 546 accept',
  ...rules.map(ruleLine),
  'meta l4proto { icmp, igmp, ipv6-icmp } accept',
  verdicts[defaultAction]
]

const verdicts = { ALLOW: 'accept', DENY: 'drop' } as const

function ruleLine({ action, protocol, ports, source }: ServerRule): string {
  const parts = [...matchSource(source), ...matchProtocol(protocol, ports), verdicts[action]]
  return parts.join(' ')
}

function matchSource(source: string | null): string[] {
  if (source === null) return []
  const family = networkFamily(source)
  if (family === undefined) throw new TypeError(`Not an address or network: ${JSON.stringify(source)}`)
  return [family === 4 ? 'ip' : 'ip6', 'saddr', source]
}

const protocols = { TCP: 'tcp', UDP: 'udp', TCP_UDP: '{ tcp, udp }', ANY: undefined } as const

function matchProtocol(protocol: ServerRule['protocol'], ports: readonly string[]): string[] {
  const wanted = protocols[protocol]
  if (wanted === undefined) {
    if (ports.length > 0) throw new TypeError('A rule for every protocol cannot have ports')
    return []
  }
  const match = ['meta', 'l4proto', wanted]
  return ports.length === 0 ? match : [...match, 'th', 'dport', `{ ${mergePorts(ports).join(', ')} }`]
}

/** nft refuses a set whose ranges overlap. */
export function mergePorts(ports: readonly string[]): string[] {
  const merged: [number, number][] = []
  for (const [first, last] of ports.map(portRange).sort(([a], [b]) => a - b)) {
    const previous = merged.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else merged.push([first, last])
  }
  return merged.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
}

function portRange(text: string): [number, number] {
  const [first, last = first] = text.split('-').map(Number) as [number, number?]
  if (!/^\d{1,5}(-\d{1,5})?$/.test(text) || first < 1 || last < first || last > 65_535)
    throw new TypeError(`Not a port or range: ${JSON.stringify(text)}`)
  return [first, last]
}
