/** Parses a dotted IPv4 address; undefined for any other spelling (leading zeros, hex, fewer parts, blanks). */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255)) return
  return parts.reduce((number, part) => number * 256 + Number(part), 0)
}

interface Subnet {
  first: number
  last: number
}

export function parseSubnet(text: string): Subnet | undefined {
  const match = /^([0-9.]+)\/(0|[1-9][0-9]?)$/.exec(text)
  const first = match?.[1] === undefined ? undefined : parseIpv4(match[1])
  const bits = Number(match?.[2])
  if (first === undefined || bits > 32) return
  const size = 2 ** (32 - bits)
  return first % size === 0 ? { first, last: first + size - 1 } : undefined
}
