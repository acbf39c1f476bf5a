import { isIPv6 } from 'node:net'

/**
 * Rate limit key of an address: IPv4 as is, IPv6 by its /64, because one customer holds a whole /64 (RFC 6177) and
 * could use a new address for each attempt.
 */
export function limitKey(ip: string): string {
  const address = ip.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::') as [string, string?]
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export const addressKey = (ip: string): string => `address:${limitKey(ip)}`
