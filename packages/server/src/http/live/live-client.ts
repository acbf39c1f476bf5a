import type { Role } from '@panel/contract/users'
import type { Socket } from 'socket.io'
import type { Dependencies } from '../../dependencies.ts'
import type { LiveSubscription } from '../../features/live-subscription.ts'
import type { LiveCredential } from './handshake.ts'
import type { SendLatest } from './latest-sender.ts'
import type { LiveClient } from './live-clients.ts'
import type { LiveLimits } from './live-limits.ts'
import { createSubscriptions } from './subscriptions.ts'

export interface ClientOptions {
  deps: Dependencies
  socket: Socket
  credential: LiveCredential
  sendLatest: SendLatest
  declared: Readonly<Record<string, LiveSubscription>>
  limits: LiveLimits
}

export interface ConnectedClient extends LiveClient {
  /** Starts handling messages of the client. */
  start(): void
  close(): void
}

const windowMs = 10_000
/** Maximum queued events of a client that has not read any for `timeoutMs`; one commit may publish many at once. */
const maxWaiting = 256
const timeoutMs = 1_000

/** One connection: handles its messages and sends its events. */
export function connectClient({ deps, socket, credential, limits, ...shared }: ClientOptions): ConnectedClient {
  // No privileges until they are read.
  const caller = { userId: credential.userId, role: 'USER' as Role }
  let heard = 0
  let heardSince = 0
  let waiting = 0
  let waitingSince = 0
  const disconnect = (code: string, message: string) => {
    socket.emit('ended', { error: { code, message } })
    socket.disconnect(true)
  }
  const isFlood = () => {
    const now = Date.now()
    if (now - heardSince > windowMs) [heard, heardSince] = [0, now]
    return ++heard > limits.messagesInWindow
  }
  const subscriptions = createSubscriptions({
    deps,
    socket,
    client: { caller },
    scope: credential.scope,
    limits,
    ...shared
  })
  const client: ConnectedClient = {
    credentialId: credential.id,
    caller,
    expiresAt: new Date(0),
    isEnded: false,
    socketId: socket.id,
    end: () => {
      subscriptions.close()
      disconnect('UNAUTHENTICATED', 'This session has expired. Sign in again.')
    },
    recheck: subscriptions.recheck,
    hasCapacity() {
      if (waiting === 0) waitingSince = performance.now()
      if (++waiting <= maxWaiting || performance.now() - waitingSince < timeoutMs) return true
      socket.conn.close(true)
      return false
    },
    close: subscriptions.close,
    start() {
      if (client.isEnded) return client.end()
      socket.conn.on('drain', () => (waiting = 0))
      socket.onAny((event: string, ...args: unknown[]) => {
        if (isFlood()) return disconnect('RATE_LIMITED', 'This connection sent too many messages in a short time')
        void hear(event, args)
      })
    }
  }
  const hear = async (event: string, args: unknown[]) => {
    const answer = args.at(-1)
    const reply = typeof answer === 'function' ? (answer as (notified: unknown) => void) : undefined
    const data = reply ? args.slice(0, -1)[0] : args[0]
    // Stop responding to a client that does not read, because responses would accumulate in memory.
    if (reply && !client.hasCapacity()) return
    const [, verb, name] = /^(subscribe|unsubscribe):(.{1,64})$/.exec(event) ?? []
    if (verb === 'subscribe') {
      const { answer: notified, start } = await subscriptions.subscribe(name!, data)
      reply?.(notified)
      start?.()
    } else if (verb === 'unsubscribe') {
      subscriptions.unsubscribe(name!, data)
      reply?.({ ok: true })
    } else reply?.({ ok: false, error: { code: 'NOT_FOUND', message: 'Unknown event' } })
  }
  return client
}
