import { sql } from 'drizzle-orm'
import pg from 'pg'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { connectionBudget, lockConnections } from './connection-budget.ts'
import type { Database, Transaction } from './database.ts'

/**
 * Every lock in the store, by its name: PostgreSQL locks the hash of it (advisory locks), for all processes together. A lock is added
 * here, so that no two mean different things by one name.
 */
type LockName = TransactionLockName | SessionLockName | 'migrations' | 'job-queue:setup' | `job-process:${string}`

/** Locks of work on rows alone: lockName. */
type TransactionLockName =
  | 'settings'
  | 'audit'
  | 'users:first'
  | 'users:admins'
  | 'deployments:claim'
  | 'mailbox-imports:claim'
  | `certificate:${string}`
  | `notifications:${string}`

/** Locks of work beyond the store: withLock. */
type SessionLockName = 'routes' | 'certificates' | `${Exclude<SessionLockKind, 'routes' | 'certificates'>}:${string}`
type SessionLockKind = keyof typeof connectionBudget.locks

/** Waits for the lock of this name, which nobody else has until the end of the transaction. */
export async function lockName(trx: Transaction, name: TransactionLockName): Promise<void> {
  await trx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

/** The same until the end of the connection: for the start of a process, which has one of its own and no pool yet. */
export async function lockConnection(client: pg.Client, name: LockName): Promise<void> {
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
}

/** SQL: whether anybody has the lock whose name the expression gives. */
export const isLocked = (name: string): string =>
  `exists (select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and (classid::bigint << 32) | objid::bigint = hashtextextended(${name}, 0)
    and database = (select oid from pg_database where datname = current_database()))`

interface LockOptions<T> {
  /** How long to wait for whoever has the lock; with 0, not at all. */
  waitMs: number
  /** What is done in place of the work when the lock is not free by then. */
  ifHeld: () => T | Promise<T>
}

/**
 * Does the work while nobody else, in whatever process, has the lock of this name. For work beyond the store, which no transaction is held
 * open for: the lock is that of a connection, and ends with a process that is killed. Should the connection break, `lost` fires and
 * somebody else may have the lock: work that goes on all the same changes rows by compare-and-swap.
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
    // Only a connection that surely has no lock any more is used again; of one that ends, PostgreSQL takes the lock.
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

/** Closes the connections that wait for the next lock. */
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

/** A pool of their own: work under a lock takes connections of the store's. */
function connectionsOf(db: Database): LockConnections {
  const known = connections.get(db.$client)
  if (known) return known
  const pool = new pg.Pool({
    connectionString: db.$client.options.connectionString,
    max: lockConnections,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: 5_000,
    query_timeout: answerWithinMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'panel-lock'
  })
  pool.on('error', () => {}) // An idle one; the next is another.
  const limits = Object.fromEntries(
    Object.entries(connectionBudget.locks).map(([kind, limit]) => [kind, createSemaphore(limit)])
  ) as LockConnections['limits']
  const made = { pool, limits }
  connections.set(db.$client, made)
  return made
}

const kindOf = (name: SessionLockName) => name.split(':')[0] as SessionLockKind
