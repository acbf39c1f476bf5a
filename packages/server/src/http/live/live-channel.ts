import { createServer, type IncomingMessage } from 'node:http'
import { Server, type Socket } from 'socket.io'
import type { App } from '../../app.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'
import type { Credentials } from '../access.ts'
import type { createForwardingTrust } from '../own-proxy.ts'
import { createDelivery } from './delivery.ts'
import { createEventQueue } from './event-queue.ts'
import { openFrontDoor, refuseRequest, refuseUpgrade } from './front-door.ts'
import { limitHandshakes } from './handshake-flood.ts'
import { createHandshakeGate, missedMsOf, resolveLiveCaller } from './handshake.ts'
import { createLatestSender } from './latest-sender.ts'
import { type ClientOptions, type ConnectedClient, connectClient } from './live-client.ts'
import { createLiveClients, type LiveClients } from './live-clients.ts'
import { toLiveError } from './live-error.ts'
import { type LiveLimits, liveLimits } from './live-limits.ts'
import { type LiveRequest, readLiveRequest } from './live-request.ts'

const eventsPerTick = 25

/** Grace period for a connecting client, which counts as connected until then. */
const onTheWayMs = 1_000

interface Welcomed {
  client: ConnectedClient
  missedMs: number | undefined
  /** When it connected. */
  at: number
}

/** Parsed requests of clients that are not authenticated yet. */
type Requests = WeakMap<IncomingMessage, LiveRequest>

/**
 * The live channel: Socket.IO at its default path, on the API's server, in every process that has one. Runs no database
 * query before the first client connects.
 */
export function addLiveChannel(
  app: App,
  deps: Dependencies,
  credentials: Credentials,
  { trust, limits }: { trust: ReturnType<typeof createForwardingTrust>; limits?: Partial<LiveLimits> }
): void {
  const io = new Server(createServer(), {
    serveClient: false,
    connectTimeout: 10_000,
    maxHttpBufferSize: 16 * 1024,
    httpCompression: false,
    perMessageDeflate: false
  })
  const clients = createLiveClients({ credentials, now: () => deps.now(), logger: deps.logger })
  const delivery = createDelivery(io, clients)
  const gate = createHandshakeGate(deps, () => io.engine.clientsCount)
  const requests: Requests = new WeakMap()
  const admit = (raw: IncomingMessage) => {
    const request = readLiveRequest(raw, trust)
    requests.set(raw, request)
    return gate(request)
  }
  openFrontDoor(app.server, {
    onRequest: (request, response) =>
      void admit(request).then(
        () => io.engine.handleRequest(request as Parameters<typeof io.engine.handleRequest>[0], response),
        (error: unknown) => refuseRequest(response, toLiveError(deps, error))
      ),
    onUpgrade: (request, socket, head) =>
      void admit(request).then(
        () => io.engine.handleUpgrade(request as Parameters<typeof io.engine.handleUpgrade>[0], socket, head),
        (error: unknown) => refuseUpgrade(socket, toLiveError(deps, error))
      )
  })

  io.engine.on('connection', limitHandshakes)
  const welcome = createWelcome(deps, credentials, clients, requests, {
    sendLatest: createLatestSender(io),
    declared: declaredBy(deps),
    limits: { ...liveLimits, ...limits }
  })
  io.use((socket, next) => {
    welcome(socket).then(
      () => next(),
      (error: unknown) => {
        const { code, message } = toLiveError(deps, error)
        next(Object.assign(new Error(message), { data: { code, message } }))
        // After the error was sent, because each connection counts against the limit.
        setImmediate(() => socket.conn.close())
      }
    )
  })
  io.on('connection', (socket) => {
    // Release the handshake request, which would otherwise stay in memory as long as the connection.
    Object.assign(socket.conn, { request: undefined })
    const { client, missedMs, at } = socket.data as Welcomed
    client.start()
    if (missedMs === undefined || client.isEnded) return
    delivery.catchUp(socket, client, missedMs + performance.now() - at + onTheWayMs)
  })

  const hear = createEventQueue<PanelEvent>(eventsPerTick, {
    take(event) {
      if (event.to !== 'processes') delivery.deliver(event)
      else if (event.name === 'access:changed') clients.checkAccount(event.data.userId)
    },
    onError: (err) => deps.logger.error({ err }, 'an event could not be sent to clients')
  })
  let unsubscribe: (() => void) | undefined
  app.addHook('onListen', async () => {
    unsubscribe ??= deps.events.subscribe({
      onEvent: hear,
      onGap() {
        clients.checkAll()
        delivery.tellGap()
      }
    })
  })
  app.addHook('preClose', async () => {
    unsubscribe?.()
    clients.close()
    // Clients reconnect after a lost connection, but not after a disconnect by the server.
    await io.close()
  })
}

const declaredBy = ({ features }: Pick<Dependencies, 'features'>) =>
  Object.assign({}, ...features.map(({ live }) => live ?? {})) as NonNullable<Dependencies['features'][number]['live']>

function createWelcome(
  deps: Dependencies,
  credentials: Credentials,
  clients: LiveClients,
  requests: Requests,
  shared: Pick<ClientOptions, 'declared' | 'limits' | 'sendLatest'>
) {
  const tried = new WeakSet<object>()
  return async (socket: Socket): Promise<void> => {
    if (tried.has(socket.conn)) throw new AppError('CONFLICT', 'This connection is already open')
    tried.add(socket.conn)
    const at = performance.now()
    const request = requests.get(socket.request)!
    const { handshake } = socket
    const credential = await resolveLiveCaller(deps, credentials, request, handshake.auth)
    if (clients.of(credential.userId).size >= deps.config.LIVE_CONNECTIONS_PER_ACCOUNT)
      throw new AppError(
        'RATE_LIMITED',
        `Your account has ${deps.config.LIVE_CONNECTIONS_PER_ACCOUNT} connections to the live channel, the maximum`
      )
    const client = connectClient({ deps, socket, credential, ...shared })
    // Registered before permissions are read, so that it is notified of changes in between.
    clients.add(client)
    socket.conn.once('close', () => {
      clients.remove(client)
      client.close()
    })
    const open = (await credentials.findOpen([credential.id])).get(credential.id)
    if (!open || client.isEnded || socket.conn.readyState !== 'open') {
      clients.remove(client)
      throw new AppError('UNAUTHENTICATED', 'Sign in first')
    }
    client.caller.role = open.role
    client.expiresAt = open.expiresAt
    socket.data = { client, missedMs: missedMsOf(handshake.auth), at } satisfies Welcomed
    // Do not keep credentials of the handshake in memory.
    Object.assign(handshake, { auth: {}, headers: {}, query: {}, url: '' })
  }
}
