import { sql } from 'drizzle-orm'
import pg from 'pg'
import PgBoss from 'pg-boss'
import type { Logger } from 'pino'
import type { Transaction } from '../../db/database.ts'
import { messageOf } from '../../errors.ts'
import type { JobQueue } from './job-queue.ts'

const channel = 'panel_jobs'

/**
 * pg-boss, with our own LISTEN so that a job starts within milliseconds of its commit; polling is only the safety net.
 * pg-boss 10 polls with 0.5 to 2 s otherwise.
 */
export async function createJobQueue(
  connectionString: string,
  queues: readonly string[],
  logger: Logger
): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString,
    max: 4,
    application_name: 'panel-jobs',
    archiveCompletedAfterSeconds: 3600,
    deleteAfterDays: 2
  })
  boss.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job queue'))
  await boss.start()
  for (const queue of queues) await boss.createQueue(queue, { name: queue, policy: 'standard' })

  const workers = new Map<string, string[]>()
  const listener = createListener(connectionString, logger, (queue) => {
    for (const id of workers.get(queue) ?? []) boss.notifyWorker(id)
  })

  return {
    async enqueue(trx, queue, data, options = {}) {
      const id = await boss.send(queue, data, {
        db: executorOf(trx),
        ...(options.key === undefined ? {} : { singletonKey: options.key }),
        ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds })
      })
      if (id !== null) await trx.execute(sql`select pg_notify(${channel}, ${queue})`)
    },

    async work(queue, options, handler) {
      await boss.updateQueue(queue, {
        name: queue,
        retryLimit: options.retryLimit,
        retryBackoff: true,
        retryDelay: 2,
        expireInSeconds: options.timeoutSeconds
      })
      const ids: string[] = []
      for (let n = 0; n < options.concurrency; n++) {
        ids.push(
          await boss.work(queue, { batchSize: 1, pollingIntervalSeconds: 5 }, async ([job]) => {
            if (!job) return
            try {
              await handler(job.data)
            } catch (error) {
              logger.error({ err: error, queue, job: job.id }, 'job failed')
              throw error
            }
          })
        )
      }
      workers.set(queue, ids)
    },

    async stop() {
      await listener.close()
      await boss.stop({ graceful: true, wait: true, timeout: 5_000 })
    }
  }
}

/** pg-boss inserts through the caller's transaction. */
function executorOf(trx: Transaction): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const client = (trx as unknown as { session: { client: pg.PoolClient } }).session.client
      return client.query(text, values)
    }
  }
}

function createListener(connectionString: string, logger: Logger, onNotify: (queue: string) => void) {
  let client: pg.Client | undefined
  let closed = false
  const connect = async (): Promise<void> => {
    while (!closed) {
      try {
        const next = new pg.Client({
          connectionString,
          keepAlive: true,
          connectionTimeoutMillis: 5_000,
          application_name: 'panel-listen'
        })
        next.on('error', (error) => logger.warn({ error: messageOf(error) }, 'job listener lost its connection'))
        next.on('end', () => void reconnect())
        next.on('notification', (message) => onNotify(message.payload ?? ''))
        await next.connect()
        await next.query(`listen ${channel}`)
        client = next
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1_000)) // Polling goes on meanwhile.
      }
    }
  }
  const reconnect = async () => {
    if (!closed) await connect()
  }
  const ready = connect()
  return {
    async close() {
      closed = true
      await ready
      await client?.end()
    }
  }
}
