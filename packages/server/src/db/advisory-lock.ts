import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database, Transaction } from './database.ts'

/** Waits for the lock of this name, which nobody else has until the end of the transaction. */
export async function lockName(trx: Transaction, name: string): Promise<void> {
  await trx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

const lockNotAvailable = '55P03'

/**
 * Does the work while nobody else, in whatever process, has the lock of this name; or `ifHeld`, when it is not free within `waitMs`. For
 * work beyond the store, which no transaction is held open for: the lock is that of a connection of its own, and ends with a process that
 * is killed. Should the connection break, the work goes on without: it changes rows by compare-and-swap.
 */
export async function withNameLock<T>(
  db: Database,
  name: string,
  waitMs: number,
  work: () => Promise<T>,
  ifHeld: () => T | Promise<T>
): Promise<T> {
  const client = new pg.Client({ ...db.$client.options, keepAlive: true, application_name: 'panel-lock' })
  client.on('error', () => {}) // As said above.
  await client.connect()
  try {
    await client.query("select set_config('lock_timeout', $1, false)", [`${waitMs}ms`])
    const isTaken = await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false
        throw error
      }
    )
    return await (isTaken ? work() : ifHeld())
  } finally {
    // PostgreSQL gives the lock back before it closes the connection.
    await client.end()
  }
}
