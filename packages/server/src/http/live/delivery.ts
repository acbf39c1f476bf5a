import { liveEvents } from '@panel/contract/live'
import type { Server } from 'socket.io'
import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'
import type { LiveClients } from './live-clients.ts'

type AccountEvent = Exclude<PanelEvent, { to: 'processes' }>

/** Tells an account's clients, or those of every ADMIN, and nobody else. */
export function deliver(io: Pick<Server, 'to'>, clients: LiveClients, { to, name, data }: AccountEvent): void {
  // Of another version of the panel there may be others, and other members.
  if (!Object.hasOwn(liveEvents, name)) return
  const known = liveEvents[name].safeParse(data)
  if (!known.success) return
  const audience = to === 'admins' ? clients.admins() : [...clients.of(to.userId)]
  const socketIds = audience.filter((client) => client.hasRoom()).map(({ socketId }) => socketId)
  if (socketIds.length > 0) io.to(socketIds).emit(name, known.data)
}
