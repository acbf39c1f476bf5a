import { ipv4Bytes, ipv6Bytes } from '../../record-types/address.ts'

/** The labels by which an address is asked for: its bytes, or the halves of them of IPv6, from the last to the first (RFC 1035 §3.5, RFC 3596 §2.5). */
export const reverseLabels = (address: string): string =>
  (isIPv4(address) ? [...ipv4Bytes(address)].map(String) : [...ipv6Bytes(address).toString('hex')]).reverse().join('.')

/** Where the PTR record of an address stands. */
export const reverseName = (address: string): string =>
  `${reverseLabels(address)}.${isIPv4(address) ? 'in-addr' : 'ip6'}.arpa`

const isIPv4 = (address: string): boolean => !address.includes(':')
