import { sql } from 'drizzle-orm'
import pg from 'pg'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { connectionBudget, lockConnections } from './connection-budget.ts'
import type { Database, Transaction } from './database.ts'
import { connectLimitMs } from './connect-limit.ts'

/** Advisory locks on the hash of the name, shared by all processes. Add new locks here, so that names stay unique. */
type LockName = TransactionLockName | SessionLockName | 'migrations' | 'job-queue:setup' | `job-process:${string}`

type TransactionLockName =
  | 'settings'
  | 'audit'
  | 'users:first'
  | 'users:admins'
  | 'backups:claim'
  | 'deployments:claim'
  | 'machines:tunnels'
  | 'projects:pools'
  | 'mailbox-imports:claim'
  | `certificate:${string}`
  | `notifications:${string}`
  | `registries:${string}`

type SessionLockName = 'routes' | 'certificates' | `${Exclude<SessionLockKind, 'routes' | 'certificates'>}:${string}`
type SessionLockKind = keyof typeof connectionBudget.locks

export async function lockName(trx: Transaction, name: TransactionLockName): Promise<void> {
  await trx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** Like lockName, held until the connection closes: for process start, which has no pool yet. */
export async function lockConnection(client: pg.Client, name: LockName): Promise<void> {
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
}

/** SQL condition: whether anyone holds the lock whose name the expression gives. */
export const isLocked = (name: string): string =>
  `exists (select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and (classid::bigint << 32) | objid::bigint = hashtextextended(${name}, 0)
    and database = (select oid from pg_database where datname = current_database()))`

interface LockOptions<T> {
  waitMs: number
  ifHeld: () => T | Promise<T>
}

/**
 * Runs `work` while holding the lock across all processes. For work outside the database, where no transaction should
 * stay open: the lock belongs to a connection and is released when the process dies. If the connection breaks, `lost`
 * fires and another process may get the lock, so the work must update rows with compare-and-swap.
 */
export async function withLock<T>(
  db: Database,
  name: SessionLockName,
  { waitMs, ifHeld }: LockOptions<T>,
  work: (lost: AbortSignal) => Promise<T>
): Promise<T> {
  const { pool, limits } = connectionsOf(db)
  const deadline = performance.now() + waitMs
  const underLimit = async () => {
    const client = await pool.connect()
    const lost = new AbortController()
    const lose = (error?: Error) => lost.abort(error ?? new Error('the connection of the lock ended'))
    client.on('error', lose).on('end', lose)
    // Return the connection to the pool only if the lock was surely released; PostgreSQL releases it when the
    // connection closes.
    let isClean = false
    try {
      const isTaken = await takeLock(client, name, Math.max(0, Math.ceil(deadline - performance.now())))
      try {
        return await (isTaken ? work(lost.signal) : ifHeld())
      } finally {
        isClean = !isTaken || (await releaseLock(client, name))
      }
    } finally {
      client.off('error', lose).off('end', lose)
      client.release(!isClean)
    }
  }
  return limits[kindOf(name)](underLimit, { ms: waitMs, ifFull: ifHeld })
}

export async function closeLocks(db: Database): Promise<void> {
  await connections.get(db.$client)?.pool.end()
  connections.delete(db.$client)
}

const lockNotAvailable = '55P03'

async function takeLock(client: pg.PoolClient, name: LockName, waitMs: number): Promise<boolean> {
  const tried = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name]
  )
  if (tried.rows[0]?.taken === true || waitMs === 0) return tried.rows[0]?.taken === true
  await client.query("select set_config('lock_timeout', $1, false)", [`${waitMs}ms`])
  const wait = {
    text: 'select pg_advisory_lock(hashtextextended($1, 0))',
    values: [name],
    query_timeout: waitMs + answerWithinMs
  }
  return client.query(wait).then(
    () => true,
    (error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false
      throw error
    }
  )
}

const releaseLock = (client: pg.PoolClient, name: LockName): Promise<boolean> =>
  client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).then(
    () => true,
    () => false // The connection is closed instead.
  )

interface LockConnections {
  pool: pg.Pool
  limits: Record<SessionLockKind, ReturnType<typeof createSemaphore>>
}

const connections = new WeakMap<pg.Pool, LockConnections>()
const idleMs = 10_000
const answerWithinMs = 10_000

/** A separate pool: work under a lock needs connections from the main pool. */
function connectionsOf(db: Database): LockConnections {
  const known = connections.get(db.$client)
  if (known) return known
  const pool = new pg.Pool({
    connectionString: db.$client.options.connectionString,
    max: lockConnections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: answerWithinMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'panel-lock'
  })
  pool.on('error', () => {}) // An idle connection broke; the pool replaces it.
  const limits = Object.fromEntries(
    Object.entries(connectionBudget.locks).map(([kind, limit]) => [kind, createSemaphore(limit)])
  ) as LockConnections['limits']
  const made = { pool, limits }
  connections.set(db.$client, made)
  return made
}

const kindOf = (name: SessionLockName) => name.split(':')[0] as SessionLockKind
