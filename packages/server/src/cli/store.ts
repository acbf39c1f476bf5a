import { findEmbeddedPostgres } from '../db/embedded-postgres.ts'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { releaseReserveOfFullDisk } from '../infra/disk/reserve-file.ts'
import { createPostgresEventBus } from '../infra/event-bus/postgres-event-bus.ts'
import { openStore, type Store } from '../wiring/store.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { storeDirectory, storeReservePath } from '../process/paths.ts'
import { startEmbeddedStore } from '../server.ts'
import type { CommandContext } from './command.ts'
import { loadConfig } from './settings.ts'

/** For one command: uses the running embedded server, or starts it, also on a full disk, and stops it again. */
export async function withStoreAddress<T>(
  env: CommandContext['env'],
  work: (config: Config, databaseUrl: string) => Promise<T>
): Promise<T> {
  const config = await loadConfig(env)
  const logger = createLogger(config.LOG_LEVEL)
  const running = config.DATABASE_URL ?? (await findEmbeddedPostgres(storeDirectory(config), run))
  if (running !== undefined) return work(config, running)
  await releaseReserveOfFullDisk({ path: storeReservePath(config), bytes: config.STORE_RESERVE })
  const started = await startEmbeddedStore(config, logger)
  try {
    return await work(config, started.url)
  } finally {
    await started.stop()
  }
}

/** Opens the database for one command. */
export function withStore<T>(
  env: CommandContext['env'],
  work: (store: Store & Pick<Dependencies, 'events'>) => Promise<T>
): Promise<T> {
  return withStoreAddress(env, async (config, connectionString) => {
    const logger = createLogger(config.LOG_LEVEL)
    const store = await openStore(config, logger, connectionString)
    const events = createPostgresEventBus({ connectionString, logger })
    try {
      return await work({ ...store, events })
    } finally {
      await events.close()
      await store.close()
    }
  })
}
