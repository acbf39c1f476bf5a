import { join } from 'node:path'
import { ensureData, makeEngineDirectories } from './engine-directories.ts'
import type { EngineProgram, EngineProgramOptions } from './engine-process.ts'
import { asUser, findEngineUser, ownName } from './engine-user.ts'
import { renderMariadbConfig } from './mariadb-config.render.ts'
import { serverError, withMysql } from './mysql-session.ts'
import { readVersion } from './mysql-state.ts'

const lookTimeoutMs = 5_000

/** A MariaDB of the panel's own, on the programs of Debian's package. */
export async function mariadbProgram(options: EngineProgramOptions): Promise<EngineProgram> {
  const { directory, listen, port, admin, run } = options
  const [dataDirectory, runtimeDirectory] = [join(directory, 'data'), join(directory, 'run')]
  const [temporaryDirectory, fileDirectory] = [join(directory, 'tmp'), join(directory, 'files')]
  const user = await findEngineUser('mysql', run)
  const configPath = join(directory, 'mariadb.cnf')
  const login = loginOf(options)

  async function prepare(): Promise<void> {
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
  }

  return {
    name: 'MariaDB',
    dataDirectory,
    files: new Map([
      [
        configPath,
        renderMariadbConfig({ dataDirectory, runtimeDirectory, temporaryDirectory, fileDirectory, listen, port })
      ]
    ]),
    argv: asUser(user, ['mariadbd', `--defaults-file=${configPath}`]),
    pidFile: join(runtimeDirectory, 'mariadb.pid'),
    log: join(directory, 'mariadb.log'),
    listen,
    port,
    stopSignal: 'SIGTERM',
    prepare,
    look: () =>
      pingMariadb(options).then(
        () => 'serving',
        (error: unknown) => (serverError(error) ? 'serving' : undefined)
      ),
    secure: () =>
      withMysql(login, lookTimeoutMs, async (query) => {
        // By its address: nobody in a container may even try to be it.
        const account = [admin.name, '127.0.0.1']
        await query('CREATE USER IF NOT EXISTS ?@? IDENTIFIED BY ?', [...account, admin.password])
        await query('ALTER USER ?@? IDENTIFIED BY ?', [...account, admin.password])
        await query('GRANT ALL PRIVILEGES ON *.* TO ?@? WITH GRANT OPTION', account)
      })
  }
}

/** Over the Unix socket, where the server knows this process without a password. */
const loginOf = ({ directory }: Pick<EngineProgramOptions, 'directory'>) => ({
  socketPath: join(directory, 'run', 'mariadb.sock'),
  user: ownName()
})

/** Asks the server of the directory for its version. Rejects with what the driver says. */
export const pingMariadb = (place: Pick<EngineProgramOptions, 'directory'>): Promise<string> =>
  withMysql(loginOf(place), lookTimeoutMs, readVersion)
