import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DatabaseType } from '@panel/contract/databases'
import { AdapterError } from '../adapter-error.ts'
import type { DatabaseAccount, DatabaseAddress } from '../database-server/database-server.ts'
import { withJobUser } from '../process/job-user.ts'
import type { SystemUser } from '../process/privileges.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { spawnStream } from '../process/stream.ts'
import { renderOptionFile } from '../site-database/option-file.render.ts'
import type { DatabaseDump, DumpOptions } from './database-dump.ts'
import { scanDump } from './dump-scan.ts'
import { renderPasswordFile } from './password-file.render.ts'

interface ClientToolsOptions {
  run: Run
  /** Where each engine listens. */
  servers: Readonly<Record<DatabaseType, DatabaseAddress>>
}

const timeoutMs = 6 * 3600_000
const queryTimeoutMs = 60_000

interface Tool {
  /** Name and content of the file with the password. */
  login(account: DatabaseAccount, server: DatabaseAddress): { name: string; content: string }
  env(file: string): Record<string, string>
  dump(
    file: string,
    account: DatabaseAccount,
    server: DatabaseAddress,
    options: Pick<DumpOptions, 'isWithoutPrograms'>
  ): [string, ...string[]]
  load(file: string, account: DatabaseAccount, server: DatabaseAddress): [string, ...string[]]
  /** Prints the number of tables. */
  count(file: string, account: DatabaseAccount, server: DatabaseAddress): [string, ...string[]]
}

const address = ({ database, username }: DatabaseAccount, { host, port }: DatabaseAddress): string[] => [
  `--host=${host}`,
  `--port=${port}`,
  `--username=${username}`,
  '--no-password',
  `--dbname=${database}`
]

const tools: Readonly<Record<DatabaseType, Tool>> = {
  // Plain text without dates: unchanged tables share their blocks with the previous backup.
  POSTGRESQL: {
    login: (account, server) => ({ name: 'pgpass', content: renderPasswordFile(account, server) }),
    env: (file) => ({ PGPASSFILE: file, PGCONNECT_TIMEOUT: '20' }),
    dump: (_file, account, server) => ['pg_dump', '--no-owner', '--no-privileges', '--lock-wait-timeout=60000', ...address(account, server)], // oxfmt-ignore
    load: (_file, account, server) => ['psql', '--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction', '--output=/dev/null', ...address(account, server)], // oxfmt-ignore
    count: (_file, account, server) => [
      'psql',
      '--no-psqlrc',
      '--tuples-only',
      '--no-align',
      "--command=select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')",
      ...address(account, server)
    ]
  },
  MYSQL: {
    login: (account, server) => ({ name: 'client.cnf', content: renderOptionFile(account, server) }),
    env: () => ({}),
    dump: (file, { database }, _server, { isWithoutPrograms = false }) => [
      'mariadb-dump',
      `--defaults-file=${file}`,
      '--single-transaction',
      '--quick',
      '--skip-lock-tables',
      '--no-tablespaces',
      '--skip-dump-date',
      '--hex-blob',
      '--triggers',
      ...(isWithoutPrograms ? [] : ['--routines', '--events']),
      '--default-character-set=utf8mb4',
      '--max-allowed-packet=256M',
      database
    ],
    load: (file, { database }) => [
      'mariadb',
      `--defaults-file=${file}`,
      '--batch',
      '--binary-mode',
      '--sandbox',
      '--local-infile=0',
      '--skip-reconnect',
      '--default-character-set=utf8mb4',
      '--max-allowed-packet=256M',
      `--database=${database}`
    ],
    count: (file, { database }) => [
      'mariadb',
      `--defaults-file=${file}`,
      '--batch',
      '--skip-column-names',
      "--execute=select count(*) from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'",
      `--database=${database}`
    ]
  }
}

/** pg_dump and mariadb-dump of Debian, each as a system user of its own that can read only the password file. */
export function createClientTools({ run, servers }: ClientToolsOptions): DatabaseDump {
  return {
    async dump(type, account, path, options) {
      const { maxBytes } = options
      const stopping = options.signal === undefined ? {} : { signal: options.signal }
      const server = servers[type]
      try {
        return await withLogin(type, account, async ({ file, ...place }) => {
          const tool = tools[type]
          const output = spawnStream(tool.dump(file, account, server, options), {
            ...place,
            ...stopping,
            timeoutMs,
            maxBytes
          })
          await pipeline(output, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
          const { tables, rows, isComplete } = await scanDump(createReadStream(path), type)
          if (!isComplete) throw failed(account, 'the dump has no end marker')
          const { stdout } = await run(tool.count(file, account, server), { ...place, ...stopping, timeoutMs: queryTimeoutMs }) // oxfmt-ignore
          const present = Number(stdout.trim())
          if (tables !== present) throw failed(account, `the dump has ${tables} tables, the database ${present}`)
          return { tables, rows, bytes: (await stat(path)).size, sha256: await checksumOf(path) }
        })
      } catch (error) {
        await rm(path, { force: true })
        throw failureOf(account, error)
      }
    },

    async load(type, account, path, signal) {
      try {
        await withLogin(type, account, ({ file, ...place }) =>
          run(tools[type].load(file, account, servers[type]), {
            ...place,
            input: createReadStream(path),
            timeoutMs,
            signal
          })
        )
      } catch (error) {
        throw failureOf(account, error)
      }
    }
  }

  async function withLogin<T>(
    type: DatabaseType,
    account: DatabaseAccount,
    use: (client: { file: string; cwd: string; env: Record<string, string>; as: SystemUser | undefined }) => Promise<T>
  ): Promise<T> {
    const directory = await mkdtemp(join(tmpdir(), 'panel-client-'))
    try {
      const { name, content } = tools[type].login(account, servers[type])
      const file = `./${randomBytes(4).toString('hex')}-${name}`
      await writeFile(join(directory, file), content, { mode: 0o600, flag: 'wx' })
      return await withJobUser(directory, run, (as) => use({ file, cwd: directory, env: tools[type].env(file), as }))
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const failed = ({ database }: DatabaseAccount, reason: string, cause?: unknown) =>
  new AdapterError('database-dump-failed', `The dump of the database ${database} failed.`, {
    reason,
    ...(cause === undefined ? {} : { cause })
  })

function failureOf(account: DatabaseAccount, error: unknown): unknown {
  if (!(error instanceof ProcessError)) return error
  if (error.reason === 'output-limit')
    return new AdapterError('disk-full', 'Not enough disk space for a database dump', { cause: error })
  const lines = error.stderr.trim().split('\n')
  // psql prints the statement below the error.
  const reason = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? ''
  return failed(account, reason === '' ? error.message : reason.slice(0, 300), error)
}
