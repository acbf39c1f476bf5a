import type { Server, Socket } from 'socket.io'

interface Waiting {
  events: Map<string, unknown>
  /** The transport whose 'ready' event we wait for; a connection may switch transports (upgrade). */
  transport: object | undefined
}

/**
 * Sends events that supersede earlier ones: at once if the connection is writable, otherwise only the latest once it
 * is ready. Payloads sent to many clients in the same tick are encoded once.
 */
export function createLatestSender(io: Pick<Server, 'to'>) {
  const waiting = new WeakMap<Socket, Waiting>()
  let batch = new Map<unknown, Map<string, string[]>>()
  const flush = () => {
    const all = batch
    batch = new Map()
    for (const [data, events] of all) for (const [event, socketIds] of events) io.to(socketIds).emit(event, data)
  }
  const release = (socket: Socket) => {
    const mine = waiting.get(socket)
    waiting.delete(socket)
    for (const [event, data] of mine?.events ?? []) send(socket, event, data)
  }
  const keep = (socket: Socket, event: string, data: unknown) => {
    const mine = waiting.get(socket) ?? { events: new Map<string, unknown>(), transport: undefined }
    waiting.set(socket, mine)
    mine.events.set(event, data)
    const { transport } = socket.conn
    if (mine.transport === transport) return
    mine.transport = transport
    transport.once('ready', () => release(socket))
  }
  const send = (socket: Socket, event: string, data: unknown): void => {
    if (!socket.conn.transport.writable) return keep(socket, event, data)
    if (batch.size === 0) queueMicrotask(flush)
    const events = batch.get(data) ?? new Map<string, string[]>()
    batch.set(data, events)
    const socketIds = events.get(event)
    if (socketIds) socketIds.push(socket.id)
    else events.set(event, [socket.id])
  }
  return send
}

export type SendLatest = ReturnType<typeof createLatestSender>
