import { RouteRefusedError } from './reverse-proxy.ts'
import { parseIpv4 } from './ipv4.ts'
import type { RouteTable } from './route-map.render.ts'

/** Addresses of other machines. Throws RouteRefusedError on one that is not a plain IPv4 address. */
export function renderMachineTable(addresses: readonly string[]): RouteTable {
  for (const address of addresses)
    if (parseIpv4(address) === undefined) throw new RouteRefusedError(`Not an IPv4 address: ${JSON.stringify(address)}`)
  return new Map(addresses.map((address) => [address, '1']))
}

/** Skips lines that renderMachineTable cannot have written. */
export const parseMachineMap = (text: string): RouteTable =>
  renderMachineTable(
    text
      .split('\n')
      .map((line) => line.split(' ', 1)[0]!)
      .filter((address) => parseIpv4(address) !== undefined)
  )
