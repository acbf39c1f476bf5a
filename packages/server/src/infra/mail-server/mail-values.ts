import { isIP } from 'node:net'
import { isHostname } from '../../net/hostname.ts'

/** Validates values for configuration files: the servers have no quoting that is safe for every byte. */
export function portValue(port: number): number {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TypeError(`Not a port: ${port}`)
  return port
}

export function hostnameValue(name: string): string {
  if (!isHostname(name)) throw new TypeError(`Not a hostname: ${JSON.stringify(name)}`)
  return name
}

export function addressValue(address: string): string {
  if (isIP(address) === 0 || address.includes('%')) throw new TypeError(`Not an address: ${JSON.stringify(address)}`)
  return address
}

export function wholeValue(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`Not a number: ${value}`)
  return value
}

export function hexValue(value: string): string {
  if (!/^[0-9a-f]{32,128}$/.test(value)) throw new TypeError('Not a key')
  return value
}

export function fingerprintValue(value: string): string {
  if (!/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/.test(value)) throw new TypeError('Not a fingerprint')
  return value
}
