import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { withTimeLimit } from './concurrency/time-limit.ts'
import type { Config } from './config.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres.ts'
import type { Dependencies } from './dependencies.ts'
import type { ProgramStates } from './programs/program-states.ts'
import { watchReserve } from './infra/disk/reserve-file.ts'
import { oomScore, setOomScore } from './infra/process/oom-score.ts'
import { run } from './infra/process/run.ts'
import { storeReservePath } from './process/paths.ts'

export interface RunningPanel {
  /** Where it listens. */
  address: AddressInfo
  deps: Dependencies
  /** Listens on another address, at the same port; undefined where a process of its own does, which sees to that itself. */
  listenOn: ((host: string) => Promise<void>) | undefined
  /** Takes no new requests, ends the work in hand, closes the store. */
  close(): Promise<void>
}

// Ends everything that hangs; a stop of the embedded store may take 15 s.
const closeLimitMs = 20_000

interface StartOptions {
  /** Done before anybody can reach the API. */
  beforeListening?: (deps: Dependencies) => Promise<void>
  /** Done before the first container is started or anything is built. */
  beforeWork?: (panel: Pick<RunningPanel, 'address' | 'deps'>) => Promise<void>
  /** Where to listen, where that is not HOST: asked when there is a store. */
  listenAddress?: (deps: Dependencies) => Promise<string>
  /** Of the programs that the caller runs beside the panel. */
  programStates?: ProgramStates
  /** Whether the API is served by a process without rights, where this machine allows it. */
  separateWeb?: boolean
}

/** Most of the panel's code, loaded while the store starts. */
const loadPanel = () => Promise.all([import('./dependencies.ts'), import('./worker.ts')])

/** Starts the panel: store, API and worker in this process. It starts no other program but the embedded store. */
export async function startPanel(config: Config, logger: Logger, options: StartOptions = {}): Promise<RunningPanel> {
  setOomScore(process.pid, oomScore.panel)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse())
      await withTimeLimit(closer(), closeLimitMs).catch((error: unknown) => logger.warn({ err: error }, 'closing'))
  }
  try {
    const loading = loadPanel()
    loading.catch(() => {}) // Awaited below, once the store runs.
    if (config.DATABASE_URL === undefined) {
      // First: a store does not start on a disk that is full.
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
    // Together: a request may wait for what the worker does.
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

/** In this process, or in one of its own, which has none of this one's rights. Each loads its code only where it is wanted. */
async function openWeb(
  deps: Dependencies,
  { host, databaseUrl, isSeparate }: WebOptions
): Promise<Pick<RunningPanel, 'address' | 'listenOn' | 'close'>> {
  if (!isSeparate) return (await import('./web/web.ts')).startWeb(deps, host)
  const { startWebProcess } = await import('./web/web-process.ts')
  return { listenOn: undefined, ...(await startWebProcess(deps, { host, databaseUrl })) }
}

/** The embedded store of this installation. */
export function startEmbeddedStore(config: Config, logger: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres(join(config.DATA_DIR, 'postgres'), {
    run,
    onRestart: () => logger.warn('the embedded store was gone and has been started again'),
    onFailure: (error) => logger.error({ err: error }, 'the embedded store is gone and does not start')
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
        ? logger.error({ free }, 'the disk is full: the reserve of the store is released; make room')
        : logger.info({ free }, 'there is a reserve on the disk for the store'),
    onError: (error) => logger.warn({ err: error }, 'the reserve of the store')
  })
}
