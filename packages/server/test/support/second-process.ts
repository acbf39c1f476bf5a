import { Redis } from 'ioredis'
import { type App, type AppOptions, buildApp } from '../../src/app.ts'
import { openDatabase } from '../../src/db/database.ts'
import { closeLocks } from '../../src/db/lock.ts'
import type { Dependencies } from '../../src/dependencies.ts'
import { createPostgresEventBus } from '../../src/infra/event-bus/postgres-event-bus.ts'
import { createJobQueue } from '../../src/infra/job-queue/pg-boss-queue.ts'
import { createFailureCounter, createRateLimiter } from '../../src/infra/rate-limiter/rate-limiter.ts'
import { createRedisSessionStore } from '../../src/infra/session-store/redis-session-store.ts'
import { queueNames } from '../../src/features/index.ts'
import { openLiveSettings } from '../../src/config/live-settings.ts'
import type { TransactionGuard } from './transaction-guard.ts'

/**
 * A second application on the database and Redis of the first, with its own connections, job queue and session cache.
 */
interface SecondProcess {
  app: App
  deps: Dependencies
  close(): Promise<void>
}

type Shared = Pick<Dependencies, 'sessions' | 'authLimiter' | 'failedSignIns'>

export function openSharedSessions(redisUrl: string, name: string, points: number): { shared: Shared; close(): void } {
  const redis = new Redis(redisUrl, { keyPrefix: `${name}:`, maxRetriesPerRequest: 1, commandTimeout: 10_000 })
  redis.on('error', () => {})
  const close = async () => {
    for (const key of await redis.keys(`${name}:*`)) await redis.del(key.slice(name.length + 1))
  }
  return {
    shared: {
      // Like the in-memory store, it loses everything on close.
      sessions: { ...createRedisSessionStore(redis), close },
      authLimiter: createRateLimiter({ points, durationSeconds: 900, redis }),
      failedSignIns: createFailureCounter({ durationSeconds: 900, redis })
    },
    close: () => redis.disconnect()
  }
}

/** Everything else is shared with the first one, including the clock and later replacements by a test. */
export async function startSecondProcess(
  first: Dependencies,
  databaseUrl: string,
  sessions: Partial<Shared>,
  guard: TransactionGuard,
  options: AppOptions = {}
): Promise<SecondProcess> {
  const db = openDatabase(databaseUrl, () => {})
  const jobs = await createJobQueue({ connectionString: databaseUrl, db, queues: queueNames, logger: first.logger })
  const events = createPostgresEventBus({ connectionString: databaseUrl, logger: first.logger })
  const settings = await openLiveSettings(first.settings.base, db, first.logger, first.secretBox)
  settings.follow(events)
  const own: Partial<Dependencies> = guard.cover({
    db,
    jobs,
    events,
    settings,
    config: settings.config,
    ...sessions
  })
  const replaced = new Map(Object.keys(own).map((key) => [key, first[key as keyof Dependencies]]))
  const deps = new Proxy(first, {
    get(target, key: keyof Dependencies) {
      const isOwn = replaced.has(key) && target[key] === replaced.get(key)
      return isOwn ? own[key] : target[key]
    }
  })
  const app = await buildApp(deps, options)
  await app.ready()
  return {
    app,
    deps,
    async close() {
      await app.close()
      settings.close()
      await jobs.stop()
      await events.close()
      await closeLocks(db)
      await db.$client.end()
    }
  }
}

/** Alternates requests between both applications. */
export function alternating(apps: readonly [App, ...App[]]): App {
  let sent = 0
  const inject = (...args: Parameters<App['inject']>) => apps[sent++ % apps.length]!.inject(...args)
  return new Proxy(apps[0], {
    get: (target, key): unknown => (key === 'inject' ? inject : Reflect.get(target, key))
  })
}
