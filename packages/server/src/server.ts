import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { withTimeLimit } from './concurrency/time-limit.ts'
import type { Config } from './config.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres.ts'
import type { Dependencies } from './dependencies.ts'
import type { ProgramStates } from './programs/program-states.ts'
import { watchReserve } from './infra/disk/reserve-file.ts'
import { oomScore, setOomScore } from './infra/process/oom-score.ts'
import { run } from './infra/process/run.ts'
import { storeDirectory, storeReservePath } from './process/paths.ts'

export interface RunningPanel {
  address: AddressInfo
  deps: Dependencies
  listenOn: ((host: string) => Promise<void>) | undefined
  close(): Promise<void>
}

const closeLimitMs = 20_000

interface StartOptions {
  beforeListening?: (deps: Dependencies) => Promise<void>
  beforeWork?: (panel: Pick<RunningPanel, 'address' | 'deps'>) => Promise<void>
  listenAddress?: (deps: Dependencies) => Promise<string>
  programStates?: ProgramStates
  /** Whether to serve the API in an unprivileged process, if the machine supports it. */
  separateWeb?: boolean
}

const loadPanel = () => Promise.all([import('./dependencies.ts'), import('./worker.ts')])

/** Starts the panel: database, API and worker in this process. Starts no other program. */
export async function startPanel(config: Config, logger: Logger, options: StartOptions = {}): Promise<RunningPanel> {
  setOomScore(process.pid, oomScore.panel)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await withTimeLimit(closer(), closeLimitMs).catch((error: unknown) =>
        logger.warn({ err: error }, 'could not stop a component')
      )
  }
  try {
    const loading = loadPanel()
    loading.catch(() => {}) // Awaited below, once the database runs.
    if (config.DATABASE_URL === undefined) {
      // First, because PostgreSQL does not start on a full disk.
      const reserve = await keepStoreReserve(config, logger)
      closers.push(() => reserve.stop())
    }
    const store = config.DATABASE_URL === undefined ? await startEmbeddedStore(config, logger) : undefined
    if (store) closers.push(() => store.stop())
    const databaseUrl = config.DATABASE_URL ?? store!.url
    const [{ openDependencies }, { startWorker }] = await loading
    const deps = await openDependencies(config, logger, databaseUrl, options.programStates)
    closers.push(() => deps.close())
    await options.beforeListening?.(deps)
    const host = (await options.listenAddress?.(deps)) ?? config.HOST
    const web = await openWeb(deps, { host, databaseUrl, isSeparate: options.separateWeb ?? false })
    closers.push(() => web.close())
    const { address } = web
    await options.beforeWork?.({ address, deps })
    const worker = await startWorker(deps, databaseUrl)
    // Together, because a request may wait for the worker.
    closers.splice(-1, 1, () => Promise.all([web.close(), worker.stop()]))
    return { address, deps, close, listenOn: web.listenOn }
  } catch (error) {
    await close()
    throw error
  }
}

interface WebOptions {
  host: string
  databaseUrl: string
  isSeparate: boolean
}

async function openWeb(
  deps: Dependencies,
  { host, databaseUrl, isSeparate }: WebOptions
): Promise<Pick<RunningPanel, 'address' | 'listenOn' | 'close'>> {
  if (!isSeparate) return (await import('./web/web.ts')).startWeb(deps, host)
  const { startWebProcess } = await import('./web/web-process.ts')
  return { listenOn: undefined, ...(await startWebProcess(deps, { host, databaseUrl })) }
}

export function startEmbeddedStore(config: Config, logger: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(storeDirectory(config), {
    run,
    onRestart: () => logger.warn('the embedded database died and was restarted'),
    onFailure: (error) => logger.error({ err: error }, 'the embedded database died and could not be restarted')
  })
}

async function keepStoreReserve(config: Config, logger: Logger) {
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  return watchReserve({
    path: storeReservePath(config),
    bytes: config.STORE_RESERVE,
    run,
    onChange: (step, free) =>
      step === 'release'
        ? logger.error({ free }, 'The disk is full: the database disk reserve was released. Free up disk space.')
        : logger.info({ free }, 'database disk reserve created'),
    onError: (error) => logger.warn({ err: error }, 'database disk reserve failed')
  })
}
