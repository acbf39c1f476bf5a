import { sql } from 'drizzle-orm'
import type { Transaction } from './database.ts'

/** Waits for the lock of this name, which nobody else has until the end of the transaction. */
export async function lockName(trx: Transaction, name: string): Promise<void> {
  await trx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
