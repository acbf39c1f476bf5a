import { BlockList, isIP } from 'node:net'

/** Without zone, and IPv4 in its own form: a dual-stack socket reports it as `::ffff:192.0.2.1`. */
export const plainAddress = (text: string): string => text.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

export const isLoopback = (address: string): boolean => loopback.check(address, familyOf(address))

/** An address or a CIDR without a zone, by its family; undefined if it is neither. */
export function networkFamily(text: string): 4 | 6 | undefined {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  // isIP accepts a zone (`fe80::1%eth0`).
  if (family === 0 || !/^[0-9a-f:.]+$/i.test(address)) return undefined
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))) return undefined
  return family === 4 ? 4 : 6
}

/** Whether an address or CIDR contains the address. */
export function networkContains(network: string, address: string): boolean {
  const [base = '', bits] = network.split('/')
  const family = familyOf(base)
  if (family !== familyOf(address)) return false
  const list = new BlockList()
  list.addSubnet(base, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  return list.check(address, family)
}

/** Whether two addresses or CIDRs have an address in common. */
export function networksOverlap(one: string, other: string): boolean {
  const base = (text: string) => text.split('/')[0]!
  return networkContains(one, base(other)) || networkContains(other, base(one))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
