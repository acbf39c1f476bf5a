import { networkFamily } from '../../net/plain-address.ts'
import { nftName } from './nft-name.ts'
import type { ServerBan } from './server-bans.ts'

interface BanTable {
  table: string
  /** Connections of the panel's containers pass: the container fence decides about them (infra/host-firewall). */
  bridgePrefix: string
}

// After conntrack, which knows who opened a connection, and before the rules and DNAT (server-ruleset.render.ts).
const priority = -102

/** Declares table, sets and rules. Applied again, it changes nothing. */
const renderTable = ({ table, bridgePrefix }: BanTable): string => {
  const at = `inet ${nftName(table)}`
  return `add table ${at}
add set ${at} banned4 { type ipv4_addr; flags timeout; }
add set ${at} banned6 { type ipv6_addr; flags timeout; }
add chain ${at} incoming { type filter hook prerouting priority ${priority}; policy accept; }
flush chain ${at} incoming
add rule ${at} incoming iifname "lo" accept
add rule ${at} incoming iifname "${nftName(bridgePrefix)}*" accept
add rule ${at} incoming ip saddr @banned4 ct direction original drop
add rule ${at} incoming ip6 saddr & ffff:ffff:ffff:ffff:: @banned6 ct direction original drop
`
}

/** Replaces all bans. nft loads a file as one transaction. */
export function renderAllBans(options: BanTable, bans: readonly ServerBan[]): string {
  const at = `inet ${nftName(options.table)}`
  if (bans.length === 0) return `add table ${at}\ndelete table ${at}\n`
  const emptied = `flush set ${at} banned4\nflush set ${at} banned6\n`
  return renderTable(options) + emptied + renderElements('add', at, bans)
}

export function renderAddedBans(options: BanTable, bans: readonly ServerBan[]): string {
  const at = `inet ${nftName(options.table)}`
  // nft keeps the time of an element that exists, and cannot delete one that does not.
  const replaced = ['add', 'delete', 'add'] as const
  return renderTable(options) + replaced.map((verb) => renderElements(verb, at, bans)).join('')
}

function renderElements(verb: 'add' | 'delete', at: string, bans: readonly ServerBan[]): string {
  const elements = { banned4: [] as string[], banned6: [] as string[] }
  for (const { address, seconds } of bans) {
    const { set, element } = elementOf(address)
    const timeout = verb === 'delete' || seconds === null ? '' : ` timeout ${secondsOf(seconds)}s`
    elements[set].push(element + timeout)
  }
  return Object.entries(elements)
    .filter(([, all]) => all.length > 0)
    .map(([set, all]) => `${verb} element ${at} ${set} { ${all.join(', ')} }\n`)
    .join('')
}

function elementOf(address: string): { set: 'banned4' | 'banned6'; element: string } {
  const [base = '', bits] = address.split('/')
  const family = networkFamily(address)
  if (family === 4 && bits === undefined) return { set: 'banned4', element: base }
  if (family !== 6 || bits !== '64')
    throw new TypeError(`Not an address that can be banned: ${JSON.stringify(address)}`)
  return { set: 'banned6', element: base }
}

function secondsOf(seconds: number): number {
  if (!Number.isSafeInteger(seconds) || seconds < 1) throw new TypeError(`Not a duration in seconds: ${seconds}`)
  return seconds
}
