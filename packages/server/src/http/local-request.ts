import type { FastifyRequest } from 'fastify'
import { createAddressTest, isForwarded } from './own-proxy.ts'

const isLoopback = createAddressTest(['loopback'])

/**
 * Whether a request comes from this machine: over loopback, without a proxy, and with a local hostname. The hostname
 * check keeps out web pages of other sites (DNS rebinding) and proxies.
 */
export const isLocalRequest = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean =>
  isLoopback(raw.socket.remoteAddress) &&
  !isForwarded(raw) &&
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(raw.headers.host ?? '')
