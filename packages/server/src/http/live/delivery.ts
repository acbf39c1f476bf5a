import { liveEvents } from '@panel/contract/live'
import type { Server, Socket } from 'socket.io'
import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'
import type { LiveClient, LiveClients } from './live-clients.ts'
import { createRecentEvents } from './recent-events.ts'

type AccountEvent = Exclude<PanelEvent, { to: 'processes' }>

/** Tells a client that it may have missed events and must reload its data. */
const gap = 'gap'

/** Sends events to the clients of an account, or of every ADMIN. */
export function createDelivery(io: Pick<Server, 'to' | 'emit'>, clients: LiveClients) {
  const recent = createRecentEvents<AccountEvent>()
  return {
    deliver({ to, name, data }: AccountEvent): void {
      // Another version of the panel may publish unknown events or members.
      if (!Object.hasOwn(liveEvents, name)) return
      const known = liveEvents[name].safeParse(data)
      if (!known.success) return
      recent.add({ to, name, data: known.data } as AccountEvent)
      const audience = to === 'admins' ? clients.admins() : [...clients.of(to.userId)]
      const socketIds = audience.filter((client) => client.hasCapacity()).map(({ socketId }) => socketId)
      if (socketIds.length > 0) io.to(socketIds).emit(name, known.data)
    },
    /** Replays the events of the last `missedMs` to a new client. */
    catchUp(socket: Pick<Socket, 'emit'>, client: Pick<LiveClient, 'caller'>, missedMs: number): void {
      const missed = recent.ofLast(missedMs)
      if (!missed) return void socket.emit(gap)
      for (const { to, name, data } of missed) if (isFor(client, to)) socket.emit(name, data)
    },
    /** Call when this process may have missed events. */
    tellGap(): void {
      recent.lose()
      io.emit(gap)
    }
  }
}

const isFor = ({ caller }: Pick<LiveClient, 'caller'>, to: AccountEvent['to']): boolean =>
  to === 'admins' ? caller.role === 'ADMIN' : to.userId === caller.userId
