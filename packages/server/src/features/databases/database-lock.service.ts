import type { DatabaseType } from '@panel/contract/databases'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { DatabaseServer } from '../../infra/database-server/database-server.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

// Of each engine. Every operation holds a connection to the store besides (db/connection-budget.ts counts with these).
const concurrentOperations = 4
const waitMs = 10_000

/** The operations on one engine in this process: the limits spare its connections, and what two processes may not both do is locked. */
interface OperationQueue {
  /** One operation of an account at a time: what its databases keep waiting, others do not wait for. */
  oneOfAccount: ReturnType<typeof createKeyedMutex<string>>
  limited: ReturnType<typeof createSemaphore>
  failure: { at: number; error: AdapterError } | undefined
}

const queues = new WeakMap<DatabaseServer, OperationQueue>()

/**
 * An operation on an engine and the rows of one database, which nobody else has meanwhile, a reconcile loop included. It begins when the
 * engine has answered, so that one that is away costs nothing. Who still waits when the engine turns out to be away has the same answer at once, so that many callers do not wait for it one after another. An engine that
 * still answers is not away: an account can hold a lock on what is its own, and have an operation on that wait until its time is up.
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
    // Asked while the store is asked for the lock.
    const answered = server.ping()
    answered.catch(() => {}) // Told below, to who has the lock.
    const locked = () => answered.then(() => work(server))
    return withLock(deps.db, `database:${id}`, { waitMs, ifHeld: refuse }, locked).catch(async (error: unknown) => {
      if (isEngineUnavailable(error) && !(await isAnswering(server))) queue.failure = { at: performance.now(), error }
      throw error
    })
  }
  return queue.oneOfAccount(userId, () => queue.limited(operation))
}

const isAnswering = (server: DatabaseServer): Promise<boolean> =>
  server.ping().then(
    () => true,
    (error: unknown) => {
      if (isEngineUnavailable(error)) return false
      throw error
    }
  )

/** The same for repairs, which leave alone what somebody is at work on. */
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
  throw new AppError('DATABASE_CHANGING', 'This database is being changed just now; try again in a moment')
}

function queueOf(server: DatabaseServer): OperationQueue {
  const queue = queues.get(server) ?? {
    oneOfAccount: createKeyedMutex<string>(),
    limited: createSemaphore(concurrentOperations),
    failure: undefined
  }
  queues.set(server, queue)
  return queue
}
