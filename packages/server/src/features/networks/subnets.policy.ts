import {
  containerAddresses,
  formatSubnet,
  freeSubnetsIn,
  networkPlan,
  parseSubnet,
  type Subnet
} from '../../net/ipv4-subnet.ts'
import { accountNetworkPrefix } from '../../net/panel-network.ts'

/** The lowest free number and the first free subnet; undefined if the pools are exhausted. */
export function nextNetwork(facts: {
  pools: readonly string[]
  existing: readonly { number: number; subnet: string }[]
  /** Subnets of the host and of other networks on it. */
  taken: readonly string[]
}): { number: number; subnet: string } | undefined {
  const numbers = new Set(facts.existing.map(({ number }) => number))
  let number = 1
  while (numbers.has(number)) number++
  const taken = parseAll([...facts.taken, ...facts.existing.map(({ subnet }) => subnet)])
  const free = freeSubnetsIn(parseAll(facts.pools), taken, accountNetworkPrefix).next().value
  return free && { number, subnet: formatSubnet(free) }
}

export function freeAddress(
  networks: readonly { number: number; subnet: string }[],
  used: readonly string[]
): { network: number; address: string } | undefined {
  const isUsed = new Set(used)
  for (const { number, subnet } of networks) {
    const address = containerAddresses(parseSubnet(subnet)!).find((each) => !isUsed.has(each))
    if (address !== undefined) return { network: number, address }
  }
  return undefined
}

export const gatewayOf = (subnet: string): string => networkPlan(parseSubnet(subnet)!).gateway

const parseAll = (cidrs: readonly string[]): Subnet[] => cidrs.flatMap((cidr) => parseSubnet(cidr) ?? [])
