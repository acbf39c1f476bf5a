import pg from 'pg'
import { connectLimitMs } from '../../db/connect-limit.ts'

// First key of two-key advisory locks, a separate space from db/lock.ts; the second key is the worker id. The locks are
// never waited for, only listed.
const lockSpace = 7_236_242

/** Detects dead workers without clocks: the server releases the lock with the connection, also after kill -9. */
export interface WorkerLease {
  readonly workerId: number
  findDead(workerIds: readonly number[]): Promise<number[]>
  isAlone(): Promise<boolean>
  /** Whether it is the oldest of those alive: for work that only one worker does at a time. */
  isOldest(): Promise<boolean>
  close(): Promise<void>
}

/** `onLost` is called when the connection breaks: the lease is gone, and all work under it must stop. */
export async function takeWorkerLease(connectionString: string, onLost: (error: Error) => void): Promise<WorkerLease> {
  const client = new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'panel-worker'
  })
  await client.connect()
  let closing = false
  client.on('error', onLost)
  client.on('end', () => {
    if (!closing) onLost(new Error('the connection of the worker lease ended'))
  })
  const { rows } = await client.query<{ id: number }>(`select nextval('worker_id')::int as id`)
  const workerId = rows[0]!.id
  await client.query('select pg_advisory_lock($1, $2)', [lockSpace, workerId])
  const listAlive = async () => {
    const leases = await client.query<{ id: number }>(
      `select objid::int as id from pg_locks where locktype = 'advisory' and classid = $1 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
      [lockSpace]
    )
    return leases.rows.map((row) => row.id)
  }
  return {
    workerId,
    async findDead(workerIds) {
      if (workerIds.length === 0) return []
      const alive = new Set(await listAlive())
      return workerIds.filter((id) => !alive.has(id))
    },
    isAlone: async () => (await listAlive()).every((id) => id === workerId),
    isOldest: async () => (await listAlive()).every((id) => id >= workerId),
    async close() {
      closing = true
      await client.end()
    }
  }
}
