import { join } from 'node:path'
import { renderMariadbConfig } from '../infra/database-server/mariadb-config.render.ts'
import { createMysqlServer } from '../infra/database-server/mysql.ts'
import { pingOn, serverError, withMysql } from '../infra/database-server/mysql-session.ts'
import { readVersion } from '../infra/database-server/mysql-state.ts'
import { findByDirectory } from '../infra/process/find-by-directory.ts'
import { oomScore } from '../infra/process/oom-score.ts'
import { createProbeSession } from '../infra/process/probe-session.ts'
import { engineEnvironment, ensureData, makeEngineDirectories } from './database-directories.ts'
import { databaseProgram } from './database-definition.ts'
import { type DatabaseProgramOptions, databaseLimits, readableByServer } from './database-program.ts'
import type { ManagedProgram } from './managed-program.ts'
import type { Program } from './program.ts'
import { asUser, findSystemUser, ownName } from './system-user.ts'

const probeLimitMs = 5_000

export async function mariadbProgram(options: DatabaseProgramOptions): Promise<ManagedProgram> {
  const { directory, listen, port, admin, run } = options
  const [dataDirectory, runtimeDirectory] = [join(directory, 'data'), join(directory, 'run')]
  const [temporaryDirectory, fileDirectory] = [join(directory, 'tmp'), join(directory, 'files')]
  const pidFile = join(runtimeDirectory, 'mariadb.pid')
  const user = await findSystemUser('mysql', run)
  const configPath = join(directory, 'mariadb.cnf')
  const login = loginOf(options)
  const session = createProbeSession((socket) => pingOn(login, probeLimitMs, socket), probeLimitMs)
  const config = { dataDirectory, runtimeDirectory, temporaryDirectory, fileDirectory, listen, port }

  return {
    name: 'MariaDB',
    log: join(directory, 'mariadb.log'),
    stopSignal: 'SIGTERM',
    limits: databaseLimits,
    oomScore: oomScore.databaseEngine,
    ...(options.contain === undefined ? {} : { contain: options.contain, hasOwnScope: true }),
    addresses: listen.map((host) => ({ host, port })),
    async prepare() {
      await makeEngineDirectories(directory, [runtimeDirectory, temporaryDirectory, fileDirectory], user, run)
      await ensureData({ dataDirectory, runtimeDirectory }, user, run, (fresh) => [
        'mariadb-install-db',
        '--no-defaults',
        `--datadir=${fresh}`,
        `--tmpdir=${temporaryDirectory}`,
        '--skip-test-db',
        '--skip-name-resolve',
        '--auth-root-authentication-method=socket',
        `--auth-root-socket-user=${ownName()}`
      ])
    },
    render: () => [{ path: configPath, content: renderMariadbConfig(config), mode: readableByServer }],
    command: () => ({
      argv: asUser(user, ['mariadbd', `--defaults-file=${configPath}`]),
      env: engineEnvironment,
      pidFile
    }),
    find: () => findByDirectory(dataDirectory, pidFile),
    probe: () =>
      session.ask().then(
        () => 'serving',
        (error: unknown) => {
          if (serverError(error)) return 'serving'
          throw error
        }
      ),
    close: () => session.close(),
    secure: () =>
      withMysql(login, probeLimitMs, async (query) => {
        // By IP address: containers must not be able to try this account.
        const account = [admin.name, '127.0.0.1']
        await query('CREATE USER IF NOT EXISTS ?@? IDENTIFIED BY ?', [...account, admin.password])
        await query('ALTER USER ?@? IDENTIFIED BY ?', [...account, admin.password])
        await query('GRANT ALL PRIVILEGES ON *.* TO ?@? WITH GRANT OPTION', account)
      })
  }
}

const loginOf = ({ directory }: Pick<DatabaseProgramOptions, 'directory'>) => ({
  socketPath: join(directory, 'run', 'mariadb.sock'),
  user: ownName()
})

const pingMariadb = (location: Pick<DatabaseProgramOptions, 'directory'>): Promise<string> =>
  withMysql(loginOf(location), probeLimitMs, readVersion)

export const mariadb: Program = databaseProgram({
  name: 'mysql',
  title: 'MariaDB',
  // The full mariadb-server package would start Debian's own instance.
  packages: ['mariadb-server-core'],
  type: 'MYSQL',
  folder: 'mysql',
  port: 'MYSQL_PORT',
  adminUrl: 'MYSQL_ADMIN_URL',
  internalHost: 'MYSQL_HOST',
  defaultPort: 3306,
  make: mariadbProgram,
  pingOwn: pingMariadb,
  pingExternal: (adminUrl) => createMysqlServer({ adminUrl, internalHost: async () => '' }).ping(),
  findProgram: async () => 'mariadbd'
})
