import type { Server } from 'socket.io'

/**
 * Sends what a later event replaces: to those whose connection takes it at once, and to the others not at all. What goes to many in one
 * turn is one object, and is encoded once for all of them.
 */
export function createLatestSender(io: Pick<Server, 'to'>) {
  let waiting = new Map<unknown, Map<string, string[]>>()
  const flush = () => {
    const batch = waiting
    waiting = new Map()
    for (const [data, events] of batch)
      for (const [event, socketIds] of events) io.to(socketIds).volatile.emit(event, data)
  }
  return (socketId: string, event: string, data: unknown): void => {
    if (waiting.size === 0) queueMicrotask(flush)
    const events = waiting.get(data) ?? new Map<string, string[]>()
    waiting.set(data, events)
    const socketIds = events.get(event)
    if (socketIds) socketIds.push(socketId)
    else events.set(event, [socketId])
  }
}

export type SendLatest = ReturnType<typeof createLatestSender>
