import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Role } from '@panel/contract/users'
import type { Dependencies } from '../dependencies.ts'
import { AppError } from '../errors.ts'
import { type Credentials, refuseForeignOrigin, sessionOf } from './access.ts'
import { type CredentialHolder, createLiveClients } from './live/live-clients.ts'
import { upgradeOf } from './live/front-door.ts'
import { limitKey } from './client-ip.ts'
import { createRateLimiter } from '../infra/rate-limiter/rate-limiter.ts'

/** Why the panel closes a WebSocket. */
export type WebSocketEnd = 'ACCESS_ENDED' | 'PANEL_STOPPED'

export interface OpenWebSocket {
  socket: WebSocket
  /** Aborts with a WebSocketEnd as its reason. */
  ended: AbortSignal
}

interface AcceptOptions {
  /** Rejects once the caller may no longer have the connection. Called after changes of the account and each minute. */
  authorize(): Promise<unknown>
  maxMessageBytes: number
}

export interface WebSockets {
  /** Upgrades the request of a GET route, after the route policy. The handler must return after it. */
  accept(request: FastifyRequest, reply: FastifyReply, options: AcceptOptions): Promise<OpenWebSocket>
}

declare module 'fastify' {
  interface FastifyInstance {
    webSockets: WebSockets
  }
}

export const isWebSocketRequest = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean =>
  upgradeOf(raw) !== undefined && headers.upgrade?.toLowerCase() === 'websocket'

const pingEveryMs = 30_000

interface Holder extends CredentialHolder {
  stop(reason: WebSocketEnd): void
}

/**
 * WebSockets of single routes. Route policy, ownership and errors are those of any request; afterwards a connection
 * ends with the session or token that opened it, as on the live channel.
 */
export function addWebSockets(app: FastifyInstance, deps: Dependencies, credentials: Credentials): void {
  const holders = createLiveClients<Holder>({ credentials, now: () => deps.now(), logger: deps.logger })
  const all = new Set<Holder>()
  const limiter = createRateLimiter({ points: () => deps.config.LIVE_HANDSHAKES_PER_MINUTE, durationSeconds: 60 })

  const watch = async (request: FastifyRequest, { authorize }: AcceptOptions, ended: AbortController) => {
    const { id, userId } = sessionOf(request)
    const open = (await credentials.findOpen([id])).get(id)
    if (!open) throw new AppError('UNAUTHENTICATED', 'Sign in first')
    const { role } = open
    const caller: { userId: string; role: Role } = { userId, role }
    const stop = (reason: WebSocketEnd) => ended.abort(reason)
    const holder: Holder = {
      credentialId: id,
      caller,
      expiresAt: open.expiresAt,
      isEnded: false,
      stop,
      end: () => stop('ACCESS_ENDED'),
      recheck() {
        if (caller.role !== role) return stop('ACCESS_ENDED')
        authorize().catch((error: unknown) => {
          // Permissions could not be checked: keep the connection and check again.
          if (error instanceof AppError && error.status < 500) stop('ACCESS_ENDED')
        })
      }
    }
    all.add(holder)
    holders.add(holder)
    // It may have ended between the two reads.
    holders.checkAccount(userId)
    return holder
  }

  app.decorate('webSockets', {
    async accept(request: FastifyRequest, reply: FastifyReply, options: AcceptOptions) {
      refuseForeignOrigin(request, deps.config)
      const upgrade = upgradeOf(request.raw)
      if (!upgrade || !isWebSocketRequest(request))
        throw new AppError('MALFORMED_REQUEST', 'Open a WebSocket at this address')
      const retryAfterSeconds = await limiter.hit(limitKey(request.ip))
      if (retryAfterSeconds !== undefined)
        throw new AppError('RATE_LIMITED', `Too many attempts. Try again in ${retryAfterSeconds} seconds.`, {
          retryAfterSeconds
        })
      const ended = new AbortController()
      const holder = await watch(request, options, ended)
      const forget = () => {
        all.delete(holder)
        holders.remove(holder)
      }
      const { socket: connection, head } = upgrade
      connection.once('close', forget)
      if (connection.destroyed) forget()
      reply.hijack()
      reply.raw.detachSocket(connection as Parameters<typeof reply.raw.detachSocket>[0])
      // Hooks wait for the end of the response.
      reply.raw.emit('close')
      const server = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: options.maxMessageBytes
      })
      const socket = await new Promise<WebSocket>((resolve, reject) => {
        connection.once('close', () => reject(new AppError('MALFORMED_REQUEST', 'The connection was closed')))
        server.handleUpgrade(request.raw, connection, head, resolve)
      })
      keepAlive(socket)
      return { socket, ended: ended.signal }
    }
  } satisfies WebSockets)

  let unsubscribe: (() => void) | undefined
  app.addHook('onListen', async () => {
    unsubscribe ??= deps.events.subscribe({
      onEvent: (event) => {
        if (event.to === 'processes' && event.name === 'access:changed') holders.checkAccount(event.data.userId)
      },
      onGap: () => holders.checkAll()
    })
  })
  app.addHook('preClose', async () => {
    unsubscribe?.()
    holders.close()
    for (const holder of all) holder.stop('PANEL_STOPPED')
  })
}

/** Notices a client that is gone without having closed the connection, and keeps proxies from closing an idle one. */
function keepAlive(socket: WebSocket): void {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingEveryMs).unref()
  socket.once('close', () => clearInterval(timer))
  // The 'close' event follows.
  socket.on('error', () => {})
}
