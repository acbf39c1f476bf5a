import type { Logger } from 'pino'
import { listenAlways, tellListeners } from '../../db/store-listener.ts'
import type { EventBus, PanelEvent } from './event-bus.ts'

const channel = 'panel_events'
// PostgreSQL takes less than 8,000.
const maxBytes = 7_500
const reconnectAfterMs = 1_000

type Listener = Parameters<EventBus['subscribe']>[0]

/** By NOTIFY. A process in which nobody listens has no connection for it. */
export function createPostgresEventBus(options: { connectionString: string; logger: Logger }): EventBus {
  const listeners = new Set<Listener>()
  let connection: { close(): Promise<void> } | undefined
  const notifyOwner = (payload: string) => {
    // Written by `publish`, perhaps by another version of the panel: who listens takes what it knows.
    const event = JSON.parse(payload) as PanelEvent
    for (const { onEvent } of listeners) onEvent(event)
  }
  const connect = () =>
    listenAlways({
      ...options,
      channel,
      reconnectAfterMs,
      onNotify: notifyOwner,
      onListening() {
        for (const { onGap } of listeners) onGap?.()
      }
    })
  return {
    async publish(trx, event) {
      const payload = JSON.stringify(event)
      if (Buffer.byteLength(payload) > maxBytes)
        throw new Error(`An event ${event.name} of ${payload.length} characters`)
      await tellListeners(trx, channel, payload)
    },
    subscribe(listener) {
      listeners.add(listener)
      connection ??= connect()
      return () => void listeners.delete(listener)
    },
    async close() {
      listeners.clear()
      await connection?.close()
    }
  }
}
