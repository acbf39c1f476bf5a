import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './public-address.ts'

export interface ReachableAddresses {
  /** Addresses and networks that are allowed although private or this machine's. */
  allow: readonly string[]
  /** Public addresses of this machine that its interfaces do not have (NAT). */
  own: readonly string[]
}

/** Whether the panel may connect to an address that a user's hostname resolves to (SSRF protection). */
export function allowedBy({ allow, own }: ReachableAddresses): (address: string) => boolean {
  const isListed = listedIn(allow)
  const ours = new BlockList()
  for (const address of [...own, ...machineAddresses()]) ours.addAddress(address, familyOf(address))
  return (address) => isListed(address) || (isPublicAddress(address) && !ours.check(address, familyOf(address)))
}

export function listedIn(networks: readonly string[]): (address: string) => boolean {
  const listed = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (bits === undefined) listed.addAddress(address, family)
    else listed.addSubnet(address, Number(bits), family)
  }
  return (address) => listed.check(address, familyOf(address))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))
