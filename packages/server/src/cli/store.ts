import { findEmbeddedPostgres } from '../db/embedded-postgres.ts'
import type { Dependencies } from '../dependencies.ts'
import { createPostgresEventBus } from '../infra/event-bus/postgres-event-bus.ts'
import { openStore, type Store } from '../wiring/store.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { storeDirectory } from '../process/paths.ts'
import { startEmbeddedStore } from '../server.ts'
import type { CommandContext } from './command.ts'
import { loadConfig } from './settings.ts'

/** Opens the database for one command: uses the running embedded server, or starts it and stops it again. */
export async function withStore<T>(
  env: CommandContext['env'],
  work: (store: Store & Pick<Dependencies, 'events'>) => Promise<T>
): Promise<T> {
  const config = await loadConfig(env)
  const logger = createLogger(config.LOG_LEVEL)
  const running = config.DATABASE_URL ?? (await findEmbeddedPostgres(storeDirectory(config), run))
  const started = running === undefined ? await startEmbeddedStore(config, logger) : undefined
  try {
    const connectionString = running ?? started!.url
    const store = await openStore(config, logger, connectionString)
    const events = createPostgresEventBus({ connectionString, logger })
    try {
      return await work({ ...store, events })
    } finally {
      await events.close()
      await store.close()
    }
  } finally {
    await started?.stop()
  }
}
