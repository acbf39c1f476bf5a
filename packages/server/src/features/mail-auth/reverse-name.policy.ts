import { ipv4Bytes, ipv6Bytes } from '../../record-types/address.ts'

/** Bytes (IPv4) or nibbles (IPv6) in reverse order (RFC 1035 §3.5, RFC 3596 §2.5). */
export const reverseLabels = (address: string): string =>
  (isIPv4(address) ? [...ipv4Bytes(address)].map(String) : [...ipv6Bytes(address).toString('hex')]).reverse().join('.')

export const reverseName = (address: string): string =>
  `${reverseLabels(address)}.${isIPv4(address) ? 'in-addr' : 'ip6'}.arpa`

const isIPv4 = (address: string): boolean => !address.includes(':')
