import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { lockConnection } from '../../db/lock.ts'
import { messageOf } from '../../message-of.ts'

export const jobChannel = 'panel_jobs'

/**
 * Listens on a connection of its own, and on the next one when that ends: one after the other, however long the store is away. The
 * connection also holds the lock by which this process lives for those that cannot see it (job-takeover.ts); the server releases it after
 * kill -9 too. Resolves when it listens for the first time.
 */
export async function createJobListener(options: {
  connectionString: string
  logger: Logger
  processName: string
  reconnectAfterMs: number
  onNotify: (queue: string) => void
}): Promise<{ close(): Promise<void> }> {
  const { connectionString, logger, processName, reconnectAfterMs, onNotify } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let onListening!: () => void
  const listening = new Promise<void>((resolve) => (onListening = resolve))
  const listen = async () => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'panel-listen'
    })
    client.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job listener lost its connection'))
    client.on('notification', (message) => onNotify(message.payload ?? ''))
    const ended = once(client, 'end', { signal })
    ended.catch(() => {}) // Awaited below, unless there is no connection at all.
    try {
      await client.connect()
      await lockConnection(client, `job-process:${processName}`)
      await client.query(`listen ${jobChannel}`)
      onListening()
      await ended
    } finally {
      await client.end()
    }
  }
  const listenAlways = async () => {
    while (!signal.aborted) {
      await listen().catch(() => {}) // Polling goes on meanwhile; the loss was logged.
      await sleep(reconnectAfterMs, undefined, { signal }).catch(() => {}) // Woken to stop.
    }
  }
  const finished = listenAlways()
  await listening
  return {
    async close() {
      stopping.abort()
      await finished
    }
  }
}
