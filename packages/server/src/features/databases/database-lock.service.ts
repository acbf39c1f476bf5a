import type { DatabaseType } from '@panel/contract/databases'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { DatabaseServer } from '../../infra/database-server/database-server.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

// Per engine. Each operation also holds a connection to the panel's database (db/connection-budget.ts relies on this).
const concurrentOperations = 4
const waitMs = 10_000

/** Limits operations per engine in this process to save connections; the database lock excludes other processes. */
interface OperationQueue {
  perAccount: ReturnType<typeof createKeyedMutex<string>>
  limit: ReturnType<typeof createSemaphore>
  failure: { at: number; error: AdapterError } | undefined
}

const queues = new WeakMap<DatabaseServer, OperationQueue>()

/**
 * Exclusive lock on one database. If the engine is down, queued callers fail at once instead of timing out in turn.
 * A timeout of an engine that still responds does not count: an account can block its own operations.
 */
export async function withDatabaseLock<T>(
  deps: Pick<Dependencies, 'db' | 'databaseServers'>,
  { type, id, userId }: { type: DatabaseType; id: string; userId: string },
  work: (server: DatabaseServer) => Promise<T>
): Promise<T> {
  const server = deps.databaseServers[type]
  const queue = queueOf(server)
  const requestedAt = performance.now()
  const operation = async () => {
    if (queue.failure && queue.failure.at > requestedAt) throw queue.failure.error
    const answered = server.ping()
    answered.catch(() => {}) // awaited below
    const locked = () => answered.then(() => work(server))
    return withLock(deps.db, `database:${id}`, { waitMs, ifHeld: refuse }, locked).catch(async (error: unknown) => {
      if (isEngineUnavailable(error) && !(await isAnswering(server))) queue.failure = { at: performance.now(), error }
      throw error
    })
  }
  return queue.perAccount(userId, () => queue.limit(operation))
}

const isAnswering = (server: DatabaseServer): Promise<boolean> =>
  server.ping().then(
    () => true,
    (error: unknown) => {
      if (isEngineUnavailable(error)) return false
      throw error
    }
  )

/** Same for repairs: skips a database that is in use by another operation. */
export async function withIdleDatabase(
  deps: Pick<Dependencies, 'db'>,
  id: string,
  work: () => Promise<void>
): Promise<void> {
  await withLock(deps.db, `database:${id}`, { waitMs: 0, ifHeld: () => {} }, work)
}

export const isEngineUnavailable = (error: unknown): error is AdapterError =>
  error instanceof AdapterError && error.kind === 'database-server-unavailable'

const refuse = () => {
  throw new AppError('DATABASE_CHANGING', 'Another change to this database is in progress. Try again in a moment.')
}

function queueOf(server: DatabaseServer): OperationQueue {
  const queue = queues.get(server) ?? {
    perAccount: createKeyedMutex<string>(),
    limit: createSemaphore(concurrentOperations),
    failure: undefined
  }
  queues.set(server, queue)
  return queue
}
