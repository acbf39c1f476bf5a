import { parseIpv4 } from './ipv4.ts'

const established = '01'

/** /proc/net/tcp has `<local> <remote> <state>` in hex, with addresses in host byte order (little-endian here). */
export function countConnections(procNetTcp: string, address: string, port?: number): number {
  const number = parseIpv4(address)
  if (number === undefined) return 0
  const bytes = [number & 255, (number >>> 8) & 255, (number >>> 16) & 255, number >>> 24]
  const remote = bytes.map((byte) => hex(byte, 2)).join('')
  const ports = port === undefined ? '[0-9A-F]{4}' : hex(port, 4)
  return [...procNetTcp.matchAll(new RegExp(` ${remote}:${ports} ${established} `, 'g'))].length
}

const hex = (number: number, digits: number): string => number.toString(16).toUpperCase().padStart(digits, '0')
