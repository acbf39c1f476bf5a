import type { LiveEventName, LiveEvents } from '@panel/contract/live'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Socket } from 'socket.io-client'
import { type Followed, followOn } from './follow.ts'

/** `starting`: nobody knows yet. */
export type LiveState = 'starting' | 'live' | 'away'

/** What each event makes stale. Events say what has changed; the data comes from the API, under its own permissions. */
const staleBy: { [Name in LiveEventName]: (event: LiveEvents[Name]) => readonly QueryKey[] } = {
  'deployment:status': ({ projectId }) => project(projectId),
  domain: ({ domainId, projectId }) => [...domain(domainId), ...project(projectId)],
  certificate: ({ domainId }) => domain(domainId),
  import: ({ projectId }) => project(projectId),
  notification: () => [['notifications']],
  uptime: ({ projectId }) => project(projectId),
  'alert:threshold': () => [['monitoring']],
  changed: ({ type, id, projectId }) => changed[type](id, projectId)
}

const project = (id: string | null): QueryKey[] =>
  id === null
    ? []
    : [
        ['projects', id],
        ['projects', 'list']
      ]
const domain = (id: string): QueryKey[] => [
  ['domains', id],
  ['domains', 'list']
]

/** Of many at once there is no id: then all of their kind. */
const changed: Record<
  LiveEvents['changed']['type'],
  (id: string | null, projectId: string | null) => readonly QueryKey[]
> = {
  account: () => [['me'], ['users']],
  certificate: () => [['domains']],
  database: () => [['databases']],
  deployment: (_id, projectId) => (projectId === null ? [['projects']] : project(projectId)),
  'dns-records': (id) => (id === null ? [['domains']] : domain(id)),
  domain: (id) => (id === null ? [['domains']] : domain(id)),
  import: (_id, projectId) => (projectId === null ? [['projects']] : project(projectId)),
  'mail-alias': () => [['mailboxes']],
  mailbox: () => [['mailboxes']],
  project: (id) => (id === null ? [['projects']] : project(id)),
  sftp: () => [['sftp']],
  variables: (id) => (id === null ? [['projects']] : project(id))
}

const noticeMs = 2_000
const retryMs = { least: 2_000, spread: 3_000, most: 15_000 }

const channels = new WeakMap<QueryClient, Live>()

/** The live channel of this tab: one, whoever asks. */
export function liveOf(client: QueryClient): Live {
  const live = channels.get(client) ?? createLive(client)
  channels.set(client, live)
  return live
}

function createLive(client: QueryClient) {
  let state: LiveState = 'starting'
  let socket: Socket | undefined
  const waiting = new Set<(socket: Socket) => void>()
  let noticing: number | undefined
  const listeners = new Set<() => void>()

  const set = (next: LiveState) => {
    clearTimeout(noticing)
    noticing = undefined
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
    // A query whose interval was off asks once, and finds it on.
    if (next === 'away') void client.invalidateQueries({ type: 'active' })
  }
  // A change of network is over in a second or two: no sign before that.
  const leave = () => {
    if (state !== 'away') noticing ??= window.setTimeout(() => set('away'), noticeMs)
  }
  const listen = (to: Socket) => {
    let wasThere = false
    to.on('connect', () => {
      set('live')
      // What happened meanwhile nobody told: all that is on the page is asked for again, once.
      if (wasThere) void client.invalidateQueries({ type: 'active' })
      wasThere = true
    })
    to.on('connect_error', leave)
    to.on('disconnect', (reason) => {
      leave()
      if (reason !== 'io server disconnect') return
      // It sent us away: the session may be over, which the next answer of the API says.
      void client.invalidateQueries({ queryKey: ['me'] })
      setTimeout(() => to.connect(), retryMs.least + Math.random() * retryMs.spread)
    })
    const table: Partial<Record<string, (event: never) => readonly QueryKey[]>> = staleBy
    to.onAny((name: string, event: unknown) => {
      const stale = table[name]?.(event as never)
      if (stale === undefined) return
      // The overview shows something of nearly all.
      for (const queryKey of [...stale, ['overview']]) void client.invalidateQueries({ queryKey })
    })
  }

  return {
    /** Its code is loaded now, after the first picture. */
    async start(): Promise<void> {
      const { io } = await import('socket.io-client')
      socket ??= io({ transports: ['websocket', 'polling'], reconnectionDelayMax: retryMs.most })
      listen(socket)
      for (const attach of waiting) attach(socket)
      waiting.clear()
    },
    /** What `subscribe:<name>` brings, again after each time the channel was away, until the returned function is called. */
    follow(name: string, followed: Followed): () => void {
      let end: (() => void) | undefined
      const attach = (to: Socket) => (end = followOn(to, name, followed))
      if (socket) attach(socket)
      else waiting.add(attach)
      return () => {
        waiting.delete(attach)
        end?.()
      }
    },
    stop(): void {
      socket?.disconnect()
      socket = undefined
      set('starting')
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: (): LiveState => state
  }
}

export type Live = ReturnType<typeof createLive>
