import { networkFamily } from '../../net/plain-address.ts'
import type { TunnelPeer, TunnelState } from './machine-tunnel.ts'

// Packets through firewalls that forget UDP after half a minute of silence.
const keepaliveSeconds = 25

/** Sections of wg(8) for the peers; each may use its one address only. */
export const renderPeers = (peers: readonly TunnelPeer[]): string =>
  peers
    .map(({ publicKey, address, endpoint }) =>
      [
        '[Peer]',
        `PublicKey = ${key(publicKey)}`,
        `AllowedIPs = ${ipv4(address)}/32`,
        ...(endpoint === undefined
          ? []
          : [`Endpoint = ${socket(endpoint)}`, `PersistentKeepalive = ${keepaliveSeconds}`])
      ].join('\n')
    )
    .map((section) => `\n${section}\n`)
    .join('')

/** Addresses of this end, and the routes to the others: `<address>:<source>`. */
export const addressesOf = (peers: readonly TunnelPeer[]): { addresses: string[]; routes: string[] } => ({
  addresses: [...new Set(peers.map(({ ownAddress }) => ipv4(ownAddress)))],
  routes: peers.map(({ address, ownAddress }) => `${ipv4(address)}:${ipv4(ownAddress)}`)
})

/** A script of `sh` that runs another one with these values as its parameters, and the peers as its standard input. */
export function renderStart(script: string, values: readonly string[], peers: string): string {
  const quoted = values.map((value) => {
    if (/['\n]/.test(value)) throw new TypeError(`Not a plain value: ${JSON.stringify(value)}`)
    return `'${value}'`
  })
  return `# Written by the panel.\nexec <<'PEERS'\n${peers}PEERS\nset -eu -- ${quoted.join(' ')}\n${script}`
}

/** What the script printed. */
export function parseState(text: string): TunnelState | { missingPackages: readonly string[] } {
  const lines = text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  const value = (name: string) => lines.find(([found]) => found === name)?.[1] ?? ''
  const missing = value('missing').trim()
  if (missing !== '') return { missingPackages: missing.split(' ') }
  const now = Number(value('time'))
  const handshakes = lines
    .filter(([name]) => name === 'handshake')
    .map(([, line = '']) => line.split('\t') as [string, string])
    .filter(([, time]) => Number(time) > 0)
  return {
    publicKey: key(value('key')),
    isNew: value('new') === '1',
    handshakes: new Map(handshakes.map(([of, time]) => [of, Math.max(0, now - Number(time))]))
  }
}

/** Keeps other text out of the configuration. */
export function key(text: string): string {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) throw new TypeError(`Not a WireGuard key: ${JSON.stringify(text)}`)
  return text
}

function ipv4(text: string): string {
  if (text.includes('/') || networkFamily(text) !== 4)
    throw new TypeError(`Not an IPv4 address: ${JSON.stringify(text)}`)
  return text
}

function socket(text: string): string {
  const [, address = '', port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const family = networkFamily(address.replace(/^\[(.*)\]$/, '$1'))
  const isAddress = !address.includes('/') && family === (address.startsWith('[') ? 6 : 4)
  if (!isAddress || Number(port) > 65_535) throw new TypeError(`Not an address and port: ${JSON.stringify(text)}`)
  return text
}
