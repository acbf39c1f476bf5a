import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { sql } from 'drizzle-orm'
import { messageOf } from '../text/message-of.ts'
import type { Queryable } from './database.ts'
import { connectLimitMs } from './connect-limit.ts'

/** Notifies listeners of the channel (PostgreSQL NOTIFY) when the transaction commits. */
export const tellListeners = async (trx: Queryable, channel: string, payload: string): Promise<void> =>
  void (await trx.execute(sql`select pg_notify(${channel}, ${payload})`))

interface StoreListenerOptions {
  connectionString: string
  logger: Logger
  channel: string
  reconnectAfterMs: number
  prepare?: (client: pg.Client) => Promise<unknown>
  onNotify(payload: string): void
  /** Called on each new connection once it listens; earlier notifications may have been missed. */
  onListening(): void
}

/** Listens (PostgreSQL LISTEN) on its own connection and reconnects until closed. */
export function listenAlways(options: StoreListenerOptions): { close(): Promise<void> } {
  const { connectionString, logger, channel, reconnectAfterMs, prepare, onNotify, onListening } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const listen = async () => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: connectLimitMs,
      application_name: 'panel-listen'
    })
    client.on('error', (error) => logger.warn({ error: messageOf(error), channel }, 'listener lost its connection'))
    client.on('notification', (message) => onNotify(message.payload ?? ''))
    const ended = once(client, 'end', { signal })
    ended.catch(() => {}) // Awaited below, unless connecting fails.
    try {
      await client.connect()
      await prepare?.(client)
      await client.query(`listen ${channel}`)
      onListening()
      await ended
    } finally {
      await client.end()
    }
  }
  const listening = (async () => {
    while (!signal.aborted) {
      await listen().catch(() => {}) // The loss was logged.
      await sleep(reconnectAfterMs, undefined, { signal }).catch(() => {}) // Woken up by close().
    }
  })()
  return {
    async close() {
      stopping.abort()
      await listening
    }
  }
}
