import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { connectionTimeHeader, proxyHeader, proxySecret } from '../security/proxy-proof.ts'
import { sameSecret } from './same-secret.ts'

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']
const tracesOfProxies = [...forwardingHeaders, proxyHeader, 'forwarded', 'via', 'x-real-ip']
const forwarded = new WeakSet<IncomingMessage>()
const proxied = new WeakMap<IncomingMessage, { openedAt: number | undefined }>()

/** Whether a request shows traces of a proxy, trusted or not. */
export const isForwarded = (request: IncomingMessage): boolean => forwarded.has(request)

/** For requests through the panel's own proxy: when the client connected to it, in milliseconds since 1970. */
export const ownProxyConnection = (request: IncomingMessage): { openedAt: number | undefined } | undefined =>
  proxied.get(request)

/**
 * Decides whose forwarding headers to trust: the panel's own proxy, which sends a secret, and TRUSTED_PROXIES. A
 * loopback address is not enough, because every account can run programs on this machine.
 */
export function createForwardingTrust(config: Pick<Config, 'SESSION_SECRET' | 'TRUSTED_PROXIES'>) {
  const secret = proxySecret(config)
  const isTrusted = createAddressTest(config.TRUSTED_PROXIES)
  return {
    /** Removes untrusted forwarding headers, and the secret, before anything reads or logs the request. */
    strip(request: IncomingMessage): void {
      if (tracesOfProxies.some((name) => request.headers[name] !== undefined)) forwarded.add(request)
      const proof = request.headers[proxyHeader]
      delete request.headers[proxyHeader]
      const time = String(request.headers[connectionTimeHeader] ?? '')
      delete request.headers[connectionTimeHeader]
      if (typeof proof === 'string' && sameSecret(proof, secret)) {
        proxied.set(request, { openedAt: /^\d{1,15}$/.test(time) ? Number(time) : undefined })
        return
      }
      if (isTrusted(request.socket.remoteAddress)) return
      for (const name of forwardingHeaders) delete request.headers[name]
    },
    isTrusted,
    /** For Fastify's `trustProxy`: `strip` has checked the first hop; further hops are judged by address. */
    isTrustedHop: (address: string, hop: number): boolean => hop === 0 || isTrusted(address)
  }
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
}

/** Networks of a list that may name `loopback`, `linklocal` and `uniquelocal`. */
export const expandNetworks = (list: readonly string[]): string[] => list.flatMap((text) => named[text] ?? [text])

export function createAddressTest(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList()
  for (const entry of expandNetworks(list)) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    known.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (text) => {
    const address = text?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    return address !== undefined && known.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
