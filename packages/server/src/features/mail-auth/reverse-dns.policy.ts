import type { ReverseDnsCheck } from '@panel/contract/mail-auth'
import { type Lookup, saysNone } from '../../infra/public-dns/public-dns.ts'
import { oneLine } from '../../one-line.ts'

/** Of the names that an address claims, those that are asked about. */
const maxNames = 3

/** Whoever has the network names anything. */
export const claimedNames = (lookups: readonly Lookup[]): string[] =>
  [...new Set(lookups.flatMap(({ values }) => values))].slice(0, maxNames)

interface ReverseDnsFacts {
  address: string
  /** As the server greets others. */
  hostname: string
  pointers: readonly Lookup[]
  /** By claimed name, its addresses. */
  forward: ReadonlyMap<string, readonly Lookup[]>
}

/** Whether the address has a name that leads back to it: many receivers refuse mail from one that has none. */
export function checkReverseDns({ address, hostname, pointers, forward }: ReverseDnsFacts): ReverseDnsCheck {
  const names = claimedNames(pointers)
  const shown = names.map((name) => oneLine(name, 253))
  const wish = `ask whoever rents you ${address} to set its reverse DNS to ${hostname}`
  if (names.length === 0) {
    if (!pointers.some(saysNone)) return { status: 'unknown', names: shown, detail: noAnswer(pointers) }
    return { status: 'fail', names: shown, detail: `${address} has no name: ${wish}` }
  }
  const confirmed = names.filter((name) => forward.get(name)?.some(({ values }) => values.includes(address)))
  if (confirmed.includes(hostname))
    return { status: 'pass', names: shown, detail: `${address} is ${hostname}, and ${hostname} leads back to it` }
  const [first] = confirmed
  if (first !== undefined)
    return {
      status: 'pass',
      names: shown,
      detail: `${address} is ${oneLine(first, 253)}, which leads back to it, but the server greets as ${hostname}: better ${wish}`
    }
  const isKnown = names.every((name) => forward.get(name)?.some((lookup) => lookup.error === null || saysNone(lookup)))
  if (!isKnown) return { status: 'unknown', names: shown, detail: noAnswer([...forward.values()].flat()) }
  return {
    status: 'fail',
    names: shown,
    detail: `${address} is ${shown.join(', ')}, which does not lead back to it: ${wish}, with an address record of ${hostname} that names ${address}`
  }
}

const noAnswer = (lookups: readonly Lookup[]): string =>
  `No resolver answered (${[...new Set(lookups.flatMap(({ error }) => error ?? []))].join(', ') || 'none was asked'}): look again later`
