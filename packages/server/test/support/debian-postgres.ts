import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../src/infra/process/run.ts'

const installations = '/usr/lib/postgresql'

/** A private cluster from Debian's binaries, run as `postgres` if root. */
export async function startDebianPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const [latest] = (await readdir(installations)).sort((a, b) => Number(b) - Number(a))
  if (latest === undefined)
    throw new Error(`no PostgreSQL under ${installations}; install the Debian package postgresql`)
  const directory = await mkdtemp(join(tmpdir(), 'panel-debian-'))
  const data = join(directory, 'cluster')
  const passwordFile = join(directory, 'password')
  const password = randomBytes(24).toString('hex')
  await writeFile(passwordFile, password, { mode: 0o600 })

  const isRoot = process.getuid?.() === 0
  if (isRoot) await run(['chown', '-R', 'postgres:postgres', directory], { timeoutMs: 10_000 })
  const postgres = (program: string, ...args: string[]) =>
    run(
      [
        ...(isRoot ? ['runuser', '-u', 'postgres', '--'] : []),
        join(installations, latest, 'bin', program),
        ...args
      ] as [string],
      {
        timeoutMs: 120_000,
        env: { LC_ALL: 'C', TZ: 'UTC' }
      }
    )
  await postgres(
    'initdb',
    '-D',
    data,
    '-U',
    'panel',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C'
  )
  const settings = [
    "listen_addresses = ''",
    `unix_socket_directories = '${directory}'`,
    'max_connections = 100',
    'fsync = off',
    ''
  ]
  await run(['tee', '-a', join(data, 'postgresql.conf')], { timeoutMs: 10_000, input: settings.join('\n') })
  await postgres('pg_ctl', '-D', data, '-l', join(directory, 'postgres.log'), '-w', '-t', '60', 'start')
  return {
    url: `postgresql://panel:${password}@localhost/postgres?host=${encodeURIComponent(directory)}`,
    async stop() {
      await postgres('pg_ctl', '-D', data, '-m', 'immediate', '-w', '-t', '30', 'stop')
      await rm(directory, { recursive: true, force: true })
    }
  }
}
