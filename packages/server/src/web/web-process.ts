import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { prepareWebRole } from '../db/web-role.ts'
import { contentHash } from '../text/content-hash.ts'
import type { Dependencies } from '../dependencies.ts'
import { messageOf } from '../text/message-of.ts'
import { findProcesses } from '../infra/process/find-processes.ts'
import { favour } from '../infra/process/priority.ts'
import { inPlaces, type SystemUser } from '../infra/process/privileges.ts'
import { run } from '../infra/process/run.ts'
import { serveVerbs } from '../infra/verb-socket/serve-verbs.ts'
import { stopProgram } from '../programs/lifecycle.ts'
import type { ManagedProgram } from '../programs/managed-program.ts'
import { findSystemUser } from '../programs/system-user.ts'
import { type Watch, watchProgram } from '../programs/watch.ts'
import { probeAlive } from './web-alive.ts'
import { panelRoot as root } from '../process/panel-root.ts'
import { writtenDirectories } from '../process/paths.ts'
import { exists } from '../infra/disk/exists.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import {
  aliveSocket,
  diskPlace,
  renderSettings,
  settingsFile,
  webDirectories,
  webPlaces,
  workerSocket
} from './web-files.ts'
import { webUnit } from './web-unit.ts'
import { workerErrors } from '../worker/worker-errors.ts'
import { workerVerbs } from '../worker/worker-verb.ts'

// Node.js takes that long to start on a busy server.
const checkTimeoutMs = 60_000
const probeTimeoutMs = 3_000
// The directory is setgid, so the files belong to the web process's group.
const readableByWeb = 0o640

const here = fileURLToPath(import.meta.url)
const built = dirname(dirname(here))
// Set in a bundle, where this module's path differs (scripts/bundle.mjs).
declare const PANEL_BUNDLE: string | undefined
const bundle = typeof PANEL_BUNDLE === 'string' ? PANEL_BUNDLE : ''
const entry = join('packages', 'server', basename(built), bundle, `web-main${extname(here)}`)

/** Undefined if it can: requires root, and an encryption key that differs from the session secret. */
export async function findSeparationProblem(
  config: Pick<Config, 'ENCRYPTION_KEY' | 'SESSION_SECRET'>
): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'the panel does not run as root'
  if (config.ENCRYPTION_KEY === config.SESSION_SECRET)
    return 'ENCRYPTION_KEY is not set or equals SESSION_SECRET, which the API needs. Set ENCRYPTION_KEY to the current SESSION_SECRET, and SESSION_SECRET to a new value'
  try {
    const user = await findSystemUser('panel-web', run)
    for (const place of Object.values(webPlaces)) await mkdir(place, { recursive: true })
    await run(inPlaces(codePlaces(), user!, [webNode, '--check', join(webPlaces.code, entry)]), {
      timeoutMs: checkTimeoutMs
    })
    return undefined
  } catch (error) {
    return `the system user panel-web cannot run it (${error instanceof Error ? error.message : String(error)})`
  }
}

const webNode = join(webPlaces.node, basename(process.execPath))
const codePlaces = () => [
  { directory: dirname(process.execPath), at: webPlaces.node },
  { directory: root, at: webPlaces.code }
]

interface WebProcess {
  address: AddressInfo
  close(): Promise<void>
}

/** As the system user panel-web. It survives this process, is adopted by the next one, and is restarted on exit. */
export async function startWebProcess(
  deps: Dependencies,
  { host, databaseUrl }: { host: string; databaseUrl: string }
): Promise<WebProcess> {
  const { logger } = deps
  // The start-up configuration: the web process reads later changes itself, and they must not prevent its adoption.
  const config = deps.settings.base
  const user = (await findSystemUser('panel-web', run))!
  const directories = await webDirectories(config)
  const socket = await serveVerbs(workerVerbs(deps), {
    path: join(directories.worker, workerSocket),
    gid: user.gid,
    errors: workerErrors,
    onFailure: (verb, error) => logger.error({ err: error, verb }, 'worker verb failed')
  })
  try {
    const hasStore = config.DATABASE_URL === undefined
    const storeUrl = hasStore ? await webStoreUrl(config, databaseUrl) : databaseUrl
    const disks = new Map<string, string>()
    for (const each of writtenDirectories(config)) disks.set(each, await existing(each))
    // Chunk names contain content hashes, so the entry identifies the whole bundle. index.html is cached in memory.
    const tags = [entry, 'packages/dashboard/dist/index.html'].map(async (file) =>
      contentHash(Buffer.from((await readIfExists(join(root, file))) ?? ''))
    )
    const code = [root, ...(await Promise.all(tags))].join(' ')
    const program = webProgram(config, { code, directories, disks, user, host, hasStore, databaseUrl: storeUrl })
    let isRunning = false
    const watch = await new Promise<Watch>((resolve, reject) => {
      const started: Watch = watchProgram(async () => program, {
        onStart() {
          if (isRunning) logger.warn('the web process died and was restarted')
          isRunning = true
          resolve(started)
        },
        onFailure(error) {
          if (isRunning) logger.error({ err: error }, 'the web process died and could not be restarted')
          else void started.stop().then(() => reject(startError(error, { host, port: config.PORT })), reject)
        }
      })
    })
    return {
      address: await probeAlive(join(directories.own, aliveSocket), probeTimeoutMs),
      async close() {
        await watch.stop()
        await stopProgram(program)
        await socket.close()
      }
    }
  } catch (error) {
    await socket.close()
    throw error
  }
}

function startError(error: unknown, { host, port }: { host: string; port: number }): Error {
  if (/address already in use/i.test(messageOf(error)))
    return Object.assign(new Error(`listen EADDRINUSE: address already in use ${host}:${port}`, { cause: error }), {
      code: 'EADDRINUSE'
    })
  const log = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return new Error(`${messageOf(error)}${log}`, { cause: error })
}

interface WebProgramOptions {
  code: string
  directories: Awaited<ReturnType<typeof webDirectories>>
  disks: ReadonlyMap<string, string>
  user: SystemUser
  host: string
  hasStore: boolean
  databaseUrl: string
}

function webProgram(
  config: Config,
  { code, directories, disks, user, host, hasStore, databaseUrl }: WebProgramOptions
): ManagedProgram {
  const { own, spool, store, worker } = directories
  // Not used by the process: identifies the data directory in process listings.
  const name = join(config.DATA_DIR, 'web')
  const program = basename(process.execPath)
  const places = [
    ...codePlaces(),
    { directory: worker, at: webPlaces.worker },
    { directory: own, at: webPlaces.own },
    ...(hasStore ? [{ directory: store, at: webPlaces.store }] : []),
    ...[...disks.values()].map((directory, index) => ({ directory, at: diskPlace(index) })),
    { directory: spool, at: webPlaces.spool }
  ]
  const as = { ...user, isBindingLowPorts: config.PORT > 0 && config.PORT < 1024 }
  const argv = [webNode, ...process.execArgv, join(webPlaces.code, entry), name] as const
  return {
    name: 'the web process',
    log: `${name}.log`,
    stopSignal: 'SIGTERM',
    limits: { startMs: 180_000, stopMs: 15_000 },
    addresses: config.PORT === 0 ? [] : [{ host, port: config.PORT }],
    contain: async ([pid]) => favour(pid!),
    async prepare() {
      for (const index of [...disks.keys()].keys()) await mkdir(diskPlace(index), { recursive: true })
      for (const each of [own, spool]) {
        await mkdir(each, { recursive: true, mode: 0o700 })
        await chown(each, user.uid, user.gid)
      }
      // The database's directory belongs to its own user, who admits this group.
      if (!hasStore) return
      const { uid } = await stat(store)
      await chown(store, uid, user.gid)
      await chmod(store, 0o710)
    },
    render: () => [
      {
        path: join(worker, settingsFile),
        content: renderSettings({
          code,
          config,
          host,
          databaseUrl,
          disks: Object.fromEntries([...disks.keys()].map((each, index) => [each, diskPlace(index)]))
        }),
        mode: readableByWeb
      }
    ],
    // As in ./panel, which says why.
    command: () => ({ argv: inPlaces(places, as, argv), env: { MALLOC_ARENA_MAX: '1' } }),
    unit: () => webUnit({ dataDirectory: config.DATA_DIR, user: as, places, argv }),
    async find() {
      const all = [...(await findProcesses(program, name)).keys()]
      return { main: all[0], all }
    },
    async probe() {
      await probeAlive(join(own, aliveSocket), probeTimeoutMs)
      return 'serving'
    }
  }
}

async function existing(path: string): Promise<string> {
  return (await exists(path)) ? path : existing(dirname(path))
}

async function webStoreUrl({ DATA_DIR }: Config, databaseUrl: string): Promise<string> {
  const url = new URL(await prepareWebRole(databaseUrl, join(DATA_DIR, 'postgres', 'web-password')))
  url.searchParams.set('host', webPlaces.store)
  return url.href
}
