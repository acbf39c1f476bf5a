import type { DatabaseType } from '@panel/contract/databases'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { DatabaseServer } from '../../infra/database-server/database-server.ts'
import { createKeyedMutex } from '../../keyed-mutex.ts'
import { createSemaphore } from '../../semaphore.ts'

// Of each engine. Every act holds a connection to the store besides.
const actsAtOnce = 6
const waitForOtherActMs = 10_000

/** How acts on one engine take turns in this process. */
interface Queue {
  /** One act of an account at a time: what its databases keep waiting, others do not wait for. */
  inTurnOfAccount: ReturnType<typeof createKeyedMutex<string>>
  inTurn: ReturnType<typeof createSemaphore>
  failure: { at: number; error: AppError } | undefined
}

const queues = new WeakMap<DatabaseServer, Queue>()

/**
 * An act on an engine and the rows of one database: nobody else, a reconcile loop included, acts on that database meanwhile. Who still
 * waits when the engine turns out to be away has the same answer at once, so that many callers do not wait for it one after another. An
 * engine that still answers is not away: an account can hold a lock on what is its own, and have an act on that wait until its time is up.
 */
export async function actOnDatabase<T>(
  deps: Pick<Dependencies, 'db' | 'databaseServers'>,
  { type, id, userId }: { type: DatabaseType; id: string; userId: string },
  work: (server: DatabaseServer) => Promise<T>
): Promise<T> {
  const server = deps.databaseServers[type]
  const queue = queueOf(server)
  const askedAt = performance.now()
  const act = async () => {
    if (queue.failure && queue.failure.at > askedAt) throw queue.failure.error
    return work(server).catch(async (error: unknown) => {
      if (isEngineAway(error) && !(await isAnswering(server))) queue.failure = { at: performance.now(), error }
      throw error
    })
  }
  return queue.inTurnOfAccount(userId, () =>
    queue.inTurn(() => withLock(deps.db, `database:${id}`, { waitMs: waitForOtherActMs, ifHeld: refuse }, act))
  )
}

const isAnswering = (server: DatabaseServer): Promise<boolean> =>
  server.ping().then(
    () => true,
    (error: unknown) => {
      if (isEngineAway(error)) return false
      throw error
    }
  )

/** The same for repairs, which leave alone what somebody is at work on. */
export async function actIfIdle(deps: Pick<Dependencies, 'db'>, id: string, work: () => Promise<void>): Promise<void> {
  await withLock(deps.db, `database:${id}`, { waitMs: 0, ifHeld: () => {} }, work)
}

export const isEngineAway = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'DATABASE_SERVER_UNAVAILABLE'

const refuse = () => {
  throw new AppError('DATABASE_CHANGING', 'This database is being changed just now; try again in a moment')
}

function queueOf(server: DatabaseServer): Queue {
  const queue = queues.get(server) ?? {
    inTurnOfAccount: createKeyedMutex<string>(),
    inTurn: createSemaphore(actsAtOnce),
    failure: undefined
  }
  queues.set(server, queue)
  return queue
}
