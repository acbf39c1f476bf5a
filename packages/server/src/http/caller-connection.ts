import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { ownProxyConnection } from './own-proxy.ts'

export const CallerConnection = z.object({
  /** The address at the other end of the TCP connection to this server. */
  peer: z.string(),
  /** The client's address; differs from `peer` behind a trusted proxy. */
  client: z.string(),
  /** The port of this server that the connection was opened to. */
  panelPort: z.int(),
  /** When the connection was opened, in milliseconds since 1970; undefined if unknown. */
  openedAt: z.number().optional()
})
export type CallerConnection = z.infer<typeof CallerConnection>

const openedAt = new WeakMap<Socket, number>()

/** Remembers when each connection was opened. */
export function followConnections(server: Server, now: () => Date): void {
  server.on('connection', (socket: Socket) => void openedAt.set(socket, now().getTime()))
}

/** The client's connection. Behind our own proxy, its connection to the proxy, which reports it. */
export function callerConnectionOf(
  { config }: Pick<Dependencies, 'config'>,
  request: Pick<FastifyRequest, 'ip' | 'protocol' | 'raw'>
): CallerConnection {
  const proxied = ownProxyConnection(request.raw)
  if (proxied)
    return {
      peer: request.ip,
      client: request.ip,
      panelPort: request.protocol === 'https' ? config.PROXY_HTTPS_PORT : config.PROXY_HTTP_PORT,
      openedAt: proxied.openedAt
    }
  const { socket } = request.raw
  return {
    peer: socket.remoteAddress ?? request.ip,
    client: request.ip,
    panelPort: socket.localPort ?? config.PORT,
    openedAt: openedAt.get(socket)
  }
}
