import type { Logger } from 'pino'
import { listenAlways, tellListeners } from '../../db/store-listener.ts'
import type { EventBus, PanelEvent } from './event-bus.ts'

const channel = 'panel_events'
// PostgreSQL's NOTIFY limit is 8,000 bytes.
const maxBytes = 7_500
const reconnectAfterMs = 1_000

type Listener = Parameters<EventBus['subscribe']>[0]

export function createPostgresEventBus(options: { connectionString: string; logger: Logger }): EventBus {
  const listeners = new Set<Listener>()
  let connection: { close(): Promise<void> } | undefined
  const notifyListeners = (payload: string) => {
    // Possibly published by another panel version: listeners ignore unknown events.
    const event = JSON.parse(payload) as PanelEvent
    for (const { onEvent } of listeners) onEvent(event)
  }
  const connect = () =>
    listenAlways({
      ...options,
      channel,
      reconnectAfterMs,
      onNotify: notifyListeners,
      onListening() {
        for (const { onGap } of listeners) onGap?.()
      }
    })
  return {
    async publish(trx, event) {
      const payload = JSON.stringify(event)
      if (Buffer.byteLength(payload) > maxBytes)
        throw new Error(`Event ${event.name} is too large (${payload.length} characters)`)
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
