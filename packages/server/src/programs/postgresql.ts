import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import {
  renderHostBasedAccess,
  renderIdentMap,
  renderPostgresqlConfig
} from '../infra/database-server/postgresql-config.render.ts'
import { createPostgresqlServer } from '../infra/database-server/postgresql.ts'
import { evaluateProbeError, pingOn, readVersion, withPostgresql } from '../infra/database-server/postgresql-session.ts'
import { scramVerifier } from '../infra/database-server/scram-verifier.ts'
import { exists } from '../infra/disk/exists.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { oomScore } from '../infra/process/oom-score.ts'
import { createProbeSession } from '../infra/process/probe-session.ts'
import { ensureData, makeEngineDirectories, engineEnvironment } from './database-directories.ts'
import { databaseProgram } from './database-definition.ts'
import { type DatabaseProgramOptions, databaseLimits, readableByServer } from './database-program.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'
import { asUser, findSystemUser, ownName } from './system-user.ts'

const probeLimitMs = 5_000
// Without a limit the OOM killer kills one process, and PostgreSQL then ends all sessions.
const processBytes = 2 ** 30

export async function postgresqlProgram(options: DatabaseProgramOptions): Promise<ManagedProgram> {
  const { directory, listen, port, admin, run } = options
  const dataDirectory = join(directory, 'data')
  const runtimeDirectory = join(directory, 'run')
  const pidFile = join(dataDirectory, 'postmaster.pid')
  const user = await findSystemUser('postgres', run)
  const binaries = await findPostgresqlPrograms(directory)
  const config = { ...options, dataDirectory, runtimeDirectory, admin: admin.name, systemUser: ownName() }
  const login = loginOf(options)
  const session = createProbeSession((socket) => pingOn(login, socket), probeLimitMs)
  const file = (name: string, content: string) => ({ path: join(directory, name), content, mode: readableByServer })

  return {
    name: 'PostgreSQL',
    log: join(directory, 'postgresql.log'),
    stopSignal: 'SIGINT',
    limits: databaseLimits,
    oomScore: oomScore.databaseEngine,
    ...(options.contain === undefined ? {} : { contain: options.contain, hasOwnScope: true }),
    // PostgreSQL starts even if one address is taken; the panel would then talk to the other program.
    addresses: listen.map((host) => ({ host, port })),
    async prepare() {
      await makeEngineDirectories(directory, [runtimeDirectory], user, run)
      await ensureData({ dataDirectory, runtimeDirectory }, user, run, (fresh) => [
        join(binaries, 'initdb'),
        '-D',
        fresh,
        '-U',
        admin.name,
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--data-checksums',
        '--no-instructions',
        '--auth=reject'
      ])
    },
    render: () => [
      file('postgresql.conf', renderPostgresqlConfig(config)),
      file('pg_hba.conf', renderHostBasedAccess(config)),
      file('pg_ident.conf', renderIdentMap(config))
    ],
    command: () => ({
      argv: asUser(user, ['prlimit', `--as=${processBytes}`, '--', join(binaries, 'postgres'), '-D', directory]),
      env: engineEnvironment,
      pidFile
    }),
    find: () => findByDirectory(dataDirectory, pidFile),
    probe: () =>
      session.ask().then(
        () => 'serving',
        (error: unknown) => evaluateProbeError(error)
      ),
    close: () => session.close(),
    secure: () =>
      withPostgresql(login, probeLimitMs, async (query) => {
        const verifier = pg.escapeLiteral(await scramVerifier(admin.password))
        await query(`ALTER ROLE ${pg.escapeIdentifier(admin.name)} PASSWORD ${verifier}`)
        // By default every account could connect to these.
        await query('REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC')
      })
  }
}

type Location = Pick<DatabaseProgramOptions, 'directory' | 'port'> & { admin: { name: string } }

const loginOf = ({ directory, port, admin }: Location) => ({
  host: join(directory, 'run'),
  port,
  user: admin.name,
  database: 'postgres'
})

const pingPostgresql = (location: Location): Promise<string> =>
  withPostgresql(loginOf(location), probeLimitMs, readVersion)

const packagesDirectory = '/usr/lib/postgresql'

/** Directory of the binaries that match the data; for new data the latest. Rejects with a remedy. */
export async function findPostgresqlPrograms(directory: string): Promise<string> {
  const installed = await findVersions()
  const dataDirectory = join(directory, 'data')
  const present = (await readIfExists(join(dataDirectory, 'PG_VERSION')))?.trim()
  const version = present ?? installed[0]
  if (version === undefined) throw new Error('PostgreSQL is not installed. Run apt-get install postgresql')
  if (!installed.includes(version)) {
    throw new Error(
      `The databases in ${dataDirectory} need PostgreSQL ${version} (installed: ${installed.join(', ') || 'none'}). ` +
        `Run apt-get install postgresql-${version}, or migrate them with pg_upgrade`
    )
  }
  return join(packagesDirectory, version, 'bin')
}

async function findVersions(): Promise<string[]> {
  const names = await readdir(packagesDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const versions = names.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a))
  const servers = await Promise.all(versions.map((name) => exists(join(packagesDirectory, name, 'bin', 'postgres'))))
  return versions.filter((_, index) => servers[index])
}

export const postgresql: Program = databaseProgram({
  name: 'postgresql',
  title: 'PostgreSQL',
  packages: ['postgresql'],
  type: 'POSTGRESQL',
  folder: 'postgresql',
  port: 'POSTGRES_PORT',
  adminUrl: 'POSTGRES_ADMIN_URL',
  internalHost: 'POSTGRES_HOST',
  defaultPort: 5432,
  make: postgresqlProgram,
  pingOwn: pingPostgresql,
  pingExternal: (adminUrl) => createPostgresqlServer({ adminUrl, internalHost: async () => '' }).ping(),
  findProgram: async (directory) => join(await findPostgresqlPrograms(directory), 'postgres')
})
