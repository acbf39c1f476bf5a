import { liveEvents } from '@panel/contract/live'
import type { Server, Socket } from 'socket.io'
import type { PanelEvent } from '../../infra/event-bus/event-bus.ts'
import type { LiveClient, LiveClients } from './live-clients.ts'
import { createRecentEvents } from './recent-events.ts'

type AccountEvent = Exclude<PanelEvent, { to: 'processes' }>

/** Says to a client that it may have missed something: what it shows is to be asked for again. */
const gap = 'gap'

/** Tells an account's clients, or those of every ADMIN, and nobody else. */
export function createDelivery(io: Pick<Server, 'to' | 'emit'>, clients: LiveClients) {
  const recent = createRecentEvents<AccountEvent>()
  return {
    deliver({ to, name, data }: AccountEvent): void {
      // Of another version of the panel there may be others, and other members.
      if (!Object.hasOwn(liveEvents, name)) return
      const known = liveEvents[name].safeParse(data)
      if (!known.success) return
      recent.add({ to, name, data: known.data } as AccountEvent)
      const audience = to === 'admins' ? clients.admins() : [...clients.of(to.userId)]
      const socketIds = audience.filter((client) => client.hasCapacity()).map(({ socketId }) => socketId)
      if (socketIds.length > 0) io.to(socketIds).emit(name, known.data)
    },
    /** Tells what was told in the last so many milliseconds, to who has just been let in. */
    catchUp(socket: Pick<Socket, 'emit'>, client: Pick<LiveClient, 'caller'>, missedMs: number): void {
      const missed = recent.ofLast(missedMs)
      if (!missed) return void socket.emit(gap)
      for (const { to, name, data } of missed) if (isFor(client, to)) socket.emit(name, data)
    },
    /** Something may have been told that this process did not hear. */
    tellGap(): void {
      recent.lose()
      io.emit(gap)
    }
  }
}

const isFor = ({ caller }: Pick<LiveClient, 'caller'>, to: AccountEvent['to']): boolean =>
  to === 'admins' ? caller.role === 'ADMIN' : to.userId === caller.userId
