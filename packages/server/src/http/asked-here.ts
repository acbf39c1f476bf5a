import type { FastifyRequest } from 'fastify'
import { createAddressTest, isForwarded } from './own-proxy.ts'

const isLoopback = createAddressTest(['loopback'])

/**
 * Whether a request is made on this machine itself: over loopback, by no proxy, and by a name that means this machine. A page of a browser
 * here cannot make one under another name, nor can a proxy that tells what it was asked for.
 */
export const isAskedHere = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean =>
  isLoopback(raw.socket.remoteAddress) &&
  !isForwarded(raw) &&
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(raw.headers.host ?? '')
