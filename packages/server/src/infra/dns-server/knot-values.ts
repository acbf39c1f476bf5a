import { isIP } from 'node:net'

export interface SocketAddress {
  address: string
  port: number
}

export const transferKeyId = 'panel-transfer'

/** For example `"192.0.2.1@53"`. Throws on an invalid address: the value goes into a configuration. */
export function renderAddress({ address, port }: SocketAddress): string {
  if (isIP(address) === 0 || address.includes('%')) throw new Error(`Not an address: ${address}`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`Not a port: ${port}`)
  return `"${address}@${port}"`
}

export const renderList = (items: readonly string[]): string => `[ ${items.join(', ')} ]`

export function renderTransferKey(secret: string): string {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(secret)) throw new Error('Not a transfer key of 256 bits in Base64')
  return `key:
  - id: ${transferKeyId}
    algorithm: hmac-sha256
    secret: "${secret}"`
}

/** Shared by all zones, and sparse. Not larger, because some CPUs have only 512 GiB of address space. */
export const journalDatabaseSize = '256G'

/** The largest possible signed zone takes 24 MiB, and changing all its names twice that. */
export const journalOfZone = `    journal-content: all
    journal-max-usage: 96M
    journal-max-depth: 20`
