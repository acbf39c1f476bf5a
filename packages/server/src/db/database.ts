import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { leastConnections, requestConnections } from './connection-budget.ts'
import { createPlannedStatements } from './planned-statements.ts'

/** The store: Drizzle on a pool of `pg`. */
export type Database = NodePgDatabase & { $client: pg.Pool }

/** A running transaction. A parameter of this type says: the caller has opened one. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** What reads need: the store itself, one connection to it or a transaction. */
export type Queryable = NodePgDatabase | Transaction

export function openDatabase(
  connectionString: string,
  onError: (error: Error) => void,
  connections = requestConnections(leastConnections)
): Database {
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    // What is asked over one connection without waiting, as in a Promise.all of a transaction, goes out at once and is answered in its order.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'panel'
  })
  // A connection that breaks is replaced by the pool; without a listener, an idle one or one in a transaction would end the process.
  pool.on('error', onError)
  const statements = createPlannedStatements()
  pool.on('connect', (client) => {
    client.on('error', onError)
    statements.planOnce(client)
  })
  const db = drizzle(pool)
  // Drizzle's own never gives back a connection on which `begin` fails: each outage of the store would leave the pool smaller.
  db.transaction = async (work, config) => {
    const client = await pool.connect()
    let hasBegun = false
    const begun: typeof work = (trx) => {
      hasBegun = true
      return work(trx)
    }
    try {
      return await drizzle(client).transaction(begun, config)
    } finally {
      client.release(!hasBegun)
    }
  }
  return db
}

/** For reads that do not need each other's answers: over one connection, all of them make one way to the store and wake one of its processes. */
export async function withConnection<T>({ $client }: Database, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await $client.connect()
  try {
    return await work(drizzle(client))
  } finally {
    client.release()
  }
}
