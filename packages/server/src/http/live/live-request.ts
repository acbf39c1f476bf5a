import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { createForwardingTrust } from '../own-proxy.ts'

/** What is known of who opens the live channel, before anybody is asked. */
export interface LiveRequest {
  headers: IncomingMessage['headers']
  protocol: 'http' | 'https'
  ip: string
  /** It opens a connection; the others belong to one that is open, and name it. */
  isHandshake: boolean
  query: URLSearchParams
}

const path = '/socket.io/'

export const isLivePath = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith(path) || url === '/socket.io' || url.startsWith('/socket.io?')

/** Reads a request as Fastify reads those of the API. Once for each: what nobody has proved is taken away from it. */
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
