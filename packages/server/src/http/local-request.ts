import type { FastifyRequest } from 'fastify'
import { createAddressTest, isForwarded } from './own-proxy.ts'

const isLoopback = createAddressTest(['loopback'])

/**
 * Whether a request comes from this machine itself: over loopback, not through a proxy, and with a host name of this machine. The host name
 * keeps out web pages of other sites (DNS rebinding) and proxies that pass it on.
 */
export const isLocalRequest = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean =>
  isLoopback(raw.socket.remoteAddress) &&
  !isForwarded(raw) &&
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(raw.headers.host ?? '')
