import { isIP } from 'node:net'

export interface SocketAddress {
  /** IPv4 or IPv6. */
  address: string
  port: number
}

export const transferKeyId = 'panel-transfer'

/** `"192.0.2.1@53"`. Throws on what is no address: the value goes into a configuration. */
export function renderAddress({ address, port }: SocketAddress): string {
  if (isIP(address) === 0 || address.includes('%')) throw new Error(`Not an address: ${address}`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`Not a port: ${port}`)
  return `"${address}@${port}"`
}

export const renderList = (items: readonly string[]): string => `[ ${items.join(', ')} ]`

/** The key with which zones are asked for and given. */
export function renderTransferKey(secret: string): string {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(secret)) throw new Error('Not a transfer key of 256 bits in Base64')
  return `key:
  - id: ${transferKeyId}
    algorithm: hmac-sha256
    secret: "${secret}"`
}

/**
 * The journal is one file for all zones, and once that is full no zone changes any more: so it is large, and each zone has its share.
 * The file has holes and is mapped, so that its limit takes no disk and no memory; some processors have 512 GiB of addresses for
 * everything.
 */
export const journalDatabaseSize = '256G'

/**
 * The greatest zone, signed and under the longest names, takes 24 MiB of it, and the change of every name twice as much: with 64M it
 * could not be changed. A usual one takes some KiB.
 */
export const journalOfZone = `    journal-content: all
    journal-max-usage: 96M
    journal-max-depth: 20`
