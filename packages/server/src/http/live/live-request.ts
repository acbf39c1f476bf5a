import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { createForwardingTrust } from '../own-proxy.ts'

export interface LiveRequest {
  headers: IncomingMessage['headers']
  protocol: 'http' | 'https'
  ip: string
  isHandshake: boolean
  query: URLSearchParams
}

const path = '/socket.io/'

export const isLivePath = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith(path) || url === '/socket.io' || url.startsWith('/socket.io?')

/** Parses a raw request as Fastify does for the API. Call once per request: it strips untrusted headers. */
export function readLiveRequest(raw: IncomingMessage, trust: ReturnType<typeof createForwardingTrust>): LiveRequest {
  trust.strip(raw)
  const forwarded = String(raw.headers['x-forwarded-proto'] ?? '')
  const scheme = forwarded === '' ? ('encrypted' in raw.socket ? 'https' : 'http') : forwarded.split(',').at(-1)!.trim()
  const query = new URLSearchParams((raw.url ?? '').split('?').slice(1).join('?'))
  return {
    headers: raw.headers,
    protocol: scheme === 'https' ? 'https' : 'http',
    ip: proxyAddress(raw, (address, hop) => trust.isTrustedHop(address, hop)),
    isHandshake: !query.has('sid'),
    query
  }
}
