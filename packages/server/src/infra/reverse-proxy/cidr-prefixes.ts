import { isIPv4 } from 'node:net'

/**
 * A network as beginnings of addresses in hexadecimal, `8.` for IPv4 and `32.` for IPv6 (their number of digits) in
 * front: 10.0.0.0/8 is `8.0A`. A length between two digits takes up to eight. The proxy looks addresses up the same way.
 */
export function cidrPrefixes(network: string): string[] {
  const [address = '', length] = network.split('/')
  const hex = isIPv4(address) ? ipv4Hex(address) : ipv6Hex(address)
  const bits = length === undefined ? hex.length * 4 : Number(length)
  const whole = hex.slice(0, Math.floor(bits / 4))
  const start = `${hex.length}.${whole}`
  const rest = bits % 4
  if (rest === 0) return [start]
  const first = parseInt(hex[whole.length]!, 16) & (0xf << (4 - rest))
  return Array.from({ length: 2 ** (4 - rest) }, (_, index) => `${start}${(first + index).toString(16).toUpperCase()}`)
}

const ipv4Hex = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()

function ipv6Hex(address: string): string {
  const withGroups = address.replace(
    /[0-9.]+\.[0-9]+$/,
    (ipv4) => `${ipv4Hex(ipv4).slice(0, 4)}:${ipv4Hex(ipv4).slice(4)}`
  )
  const [front = '', back] = withGroups.split('::')
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const [left, right] = [groupsOf(front), groupsOf(back ?? '')]
  const zeros = back === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right]
    .map((group) => group.padStart(4, '0'))
    .join('')
    .toUpperCase()
}
