import type { InvalidateOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Socket } from 'socket.io-client'
import { type Followed, followOn } from './follow.ts'
import { knownTimeOf } from './known-time.ts'
import { createPauses } from './pauses.ts'
import { outdatedKeysOf } from './invalidation.ts'

/** `starting`: nobody knows yet. */
export type LiveState = 'starting' | 'live' | 'away'

const noticeMs = 2_000
const pollMs = 10_000
/** Longer than one commit takes to be told, shorter than anybody notices. */
const gatherMs = 100
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
  /** Of the last start: one that was stopped meanwhile opens nothing. */
  let opening: object | undefined
  const pauses = createPauses(retryMs.least, retryMs.most)
  let noticing: number | undefined
  let polling: number | undefined
  let retrying: number | undefined
  let asking: number | undefined
  const knownTime = knownTimeOf(client)
  const changedKeys = new Map<string, QueryKey>()
  const waiting = new Set<(socket: Socket) => void>()
  const listeners = new Set<() => void>()

  /** Of what has just been told: one change may tell of hundreds, and each is asked for once. */
  const refreshChanged = () => {
    asking = undefined
    for (const queryKey of changedKeys.values()) void client.invalidateQueries({ queryKey })
    changedKeys.clear()
  }
  /** All that is on the page. */
  const askAll = (options?: InvalidateOptions) => void client.invalidateQueries({ type: 'active' }, options)
  const set = (next: LiveState) => {
    clearTimeout(noticing)
    noticing = undefined
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
    clearInterval(polling)
    if (next !== 'away') return
    // Nobody tells any more what has changed. A query whose interval was off asks once, and finds it on.
    askAll()
    polling = window.setInterval(
      () => document.visibilityState === 'visible' && askAll({ cancelRefetch: false }),
      pollMs
    )
  }
  // A change of network is over in a second or two: no sign before that.
  const leave = () => {
    if (state !== 'away') noticing ??= window.setTimeout(() => set('away'), noticeMs)
  }
  const connectNow = () => {
    clearTimeout(retrying)
    retrying = undefined
    socket?.connect()
  }
  /** Socket.IO comes back by itself after a failure, and not where it was refused or sent away. */
  const connectLater = () => {
    retrying ??= window.setTimeout(connectNow, pauses.next() + Math.random() * retryMs.spread)
  }
  const listen = (to: Socket) => {
    // The page was asked for before it could be told of a change: the server tells what there was since.
    to.auth = (give) => give({ missedMs: knownTime.connect() })
    to.io.on('ping', () => knownTime.hear())
    to.on('connect', () => {
      pauses.reset()
      set('live')
    })
    // Or it does not know: all that is on the page is asked for again, by all pages that are told so, and not at once.
    to.on('gap', () => setTimeout(askAll, Math.random() * retryMs.spread))
    to.on('connect_error', () => {
      leave()
      if (!to.active) connectLater()
    })
    to.on('disconnect', (reason) => {
      leave()
      if (reason !== 'io server disconnect') return
      // The session may be over, which the next answer of the API says.
      void client.invalidateQueries({ queryKey: ['me'] })
      connectLater()
    })
    to.onAny((name: string, event: unknown) => {
      const invalidates = outdatedKeysOf(name, event)
      if (invalidates === undefined) return
      // The overview shows something of nearly all.
      for (const queryKey of [...invalidates, ['overview']]) changedKeys.set(JSON.stringify(queryKey), queryKey)
      asking ??= window.setTimeout(refreshChanged, gatherMs)
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
    /** At once, where it would be tried later: who was refused has signed in again. */
    retry(): void {
      pauses.reset()
      if (retrying !== undefined) connectNow()
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
      opening = undefined
      clearTimeout(retrying)
      retrying = undefined
      // Nobody hears it close: that would count as being away.
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
