import pg from 'pg'

/**
 * One order of an account at a time, in whatever process: the lock is a connection's, so that it ends with a process that is killed. The
 * connection is its own and none of the pool's, since an order may take minutes. `lost` fires when it breaks: then another one may be at
 * work. Resolves with false, and nothing was done, while somebody else has the lock; with true, the lock is free again.
 */
export async function withIssuanceLock(
  databaseUrl: string,
  userId: string,
  work: (lost: AbortSignal) => Promise<void>
): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    application_name: 'panel-certificates'
  })
  const lost = new AbortController()
  const lose = (error?: Error) => lost.abort(error ?? new Error('the connection of the lock ended'))
  client.on('error', lose)
  client.on('end', lose)
  await client.connect()
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [`certificates of ${userId}`]
    )
    if (rows[0]?.taken !== true) return false
    await work(lost.signal)
    return true
  } finally {
    // PostgreSQL gives the lock back before it closes the connection.
    await client.end()
  }
}
