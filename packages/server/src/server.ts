import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { type Dependencies, openDependencies } from './dependencies.ts'
import { run } from './infra/process/run.ts'
import { startWorker } from './worker.ts'

export interface RunningPanel {
  /** Where it listens. */
  address: AddressInfo
  deps: Dependencies
  /** Takes no new requests, ends the work in hand, closes the store. */
  close(): Promise<void>
}

/** Starts the panel: store, API and worker in this process. It starts no other program but the embedded store. */
export async function startPanel(config: Config, logger: Logger): Promise<RunningPanel> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await closer().catch((error: unknown) => logger.warn({ err: error }, 'closing'))
  }
  try {
    const store =
      config.DATABASE_URL === undefined
        ? await startEmbeddedPostgres(join(config.DATA_DIR, 'postgres'), run)
        : undefined
    if (store) closers.push(() => store.stop())
    const databaseUrl = config.DATABASE_URL ?? store!.url
    const deps = await openDependencies(config, logger, databaseUrl)
    closers.push(() => deps.close())
    const app = await buildApp(deps)
    closers.push(() => app.close())
    await app.listen({ host: config.HOST, port: config.PORT })
    const worker = await startWorker(deps, databaseUrl)
    closers.push(() => worker.stop())
    return { address: app.server.address() as AddressInfo, deps, close }
  } catch (error) {
    await close()
    throw error
  }
}
