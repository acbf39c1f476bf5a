import type { InvalidateOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Socket } from 'socket.io-client'
import { type Followed, followOn } from './follow.ts'
import { knownTimeOf } from './known-time.ts'
import { createPauses } from './pauses.ts'
import { outdatedKeysOf } from './invalidation.ts'

export type LiveState = 'starting' | 'live' | 'away'

const noticeMs = 2_000
const pollMs = 10_000
/** Collects the events of one commit. */
const batchMs = 100
const retryMs = { least: 2_000, spread: 3_000, most: 15_000 }

const channels = new WeakMap<QueryClient, Live>()

export function liveOf(client: QueryClient): Live {
  const live = channels.get(client) ?? createLive(client)
  channels.set(client, live)
  return live
}

function createLive(client: QueryClient) {
  let state: LiveState = 'starting'
  let socket: Socket | undefined
  /** Token of the latest start; a stopped start must not open a socket. */
  let opening: object | undefined
  const pauses = createPauses(retryMs.least, retryMs.most)
  let noticeTimer: number | undefined
  let pollTimer: number | undefined
  let retryTimer: number | undefined
  let refreshTimer: number | undefined
  const knownTime = knownTimeOf(client)
  const changedKeys = new Map<string, QueryKey>()
  const waiting = new Set<(socket: Socket) => void>()
  const listeners = new Set<() => void>()

  /** One change may cause hundreds of events; invalidate each key once. */
  const refreshChanged = () => {
    refreshTimer = undefined
    for (const queryKey of changedKeys.values()) void client.invalidateQueries({ queryKey })
    changedKeys.clear()
  }
  const refetchActive = (options?: InvalidateOptions) => void client.invalidateQueries({ type: 'active' }, options)
  const set = (next: LiveState) => {
    clearTimeout(noticeTimer)
    noticeTimer = undefined
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
    clearInterval(pollTimer)
    if (next !== 'away') return
    // No events arrive while away, so the page polls.
    refetchActive()
    pollTimer = window.setInterval(
      () => document.visibilityState === 'visible' && refetchActive({ cancelRefetch: false }),
      pollMs
    )
  }
  // Do not show short interruptions, such as a network change.
  const leave = () => {
    if (state !== 'away') noticeTimer ??= window.setTimeout(() => set('away'), noticeMs)
  }
  const connectNow = () => {
    clearTimeout(retryTimer)
    retryTimer = undefined
    socket?.connect()
  }
  /** Socket.IO reconnects after failures, but not after a refusal or a server disconnect. */
  const connectLater = () => {
    retryTimer ??= window.setTimeout(connectNow, pauses.next() + Math.random() * retryMs.spread)
  }
  const listen = (to: Socket) => {
    // The server sends the changes since the page loaded its data.
    to.auth = (send) => send({ missedMs: knownTime.connect() })
    to.io.on('ping', () => knownTime.hear())
    to.on('connect', () => {
      pauses.reset()
      set('live')
    })
    // The server cannot tell what was missed: refetch everything, with jitter across all pages.
    to.on('gap', () => setTimeout(refetchActive, Math.random() * retryMs.spread))
    to.on('connect_error', () => {
      leave()
      if (!to.active) connectLater()
    })
    to.on('disconnect', (reason) => {
      leave()
      if (reason !== 'io server disconnect') return
      // The session may have ended, which the next API response shows.
      void client.invalidateQueries({ queryKey: ['me'] })
      connectLater()
    })
    to.onAny((name: string, event: unknown) => {
      const invalidates = outdatedKeysOf(name, event)
      if (invalidates === undefined) return
      // The overview shows data of almost all types.
      for (const queryKey of [...invalidates, ['overview']]) changedKeys.set(JSON.stringify(queryKey), queryKey)
      refreshTimer ??= window.setTimeout(refreshChanged, batchMs)
    })
  }

  return {
    async start(): Promise<void> {
      const mine = (opening = {})
      const loaded = await import('socket.io-client').catch(leave)
      if (!loaded || opening !== mine) return
      socket = loaded.io({ transports: ['websocket', 'polling'], reconnectionDelayMax: retryMs.most })
      listen(socket)
      for (const attach of waiting) attach(socket)
      waiting.clear()
    },
    /** Reconnects at once after signing in again. */
    retry(): void {
      pauses.reset()
      if (retryTimer !== undefined) connectNow()
    },
    /** Subscribes to `subscribe:<name>`, again after each reconnect. Returns an unsubscribe function. */
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
      opening = undefined
      clearTimeout(retryTimer)
      retryTimer = undefined
      // Removes the handlers first: closing must not count as away.
      socket?.off().disconnect()
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
