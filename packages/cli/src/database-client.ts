import type { Schema } from '@panel/client'

export interface ConnectOptions {
  host?: string
  port?: string
}

/** The password is in the environment, because all users of the machine can read arguments. */
interface Invocation {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}

type Build = (url: URL, options: ConnectOptions) => Invocation

const postgres =
  (file: string, args: readonly string[]): Build =>
  (url, options) => {
    const { host, port, user, password, database } = partsOf(url, options)
    const env = { PGHOST: host, PGPORT: port || '5432', PGUSER: user, PGPASSWORD: password, PGDATABASE: database }
    return { file, args, env: { ...env, PGCONNECT_TIMEOUT: '15' } }
  }

const mysql =
  (file: string, args: readonly string[]): Build =>
  (url, options) => {
    const { host, port, user, password, database } = partsOf(url, options)
    const where = [`--host=${host}`, `--port=${port || '3306'}`, '--protocol=TCP', `--user=${user}`]
    return { file, args: [...where, ...args, database], env: { MYSQL_PWD: password } }
  }

/** Which programs of the user's machine talk to a database of each type. */
export const clients: Readonly<Record<Schema<'Database'>['type'], Record<'connect' | 'dump' | 'load', Build>>> = {
  POSTGRESQL: {
    connect: postgres('psql', ['--no-password']),
    dump: postgres('pg_dump', ['--no-password', '--no-owner', '--no-privileges']),
    load: postgres('psql', ['--no-password', '--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1'])
  },
  MYSQL: {
    connect: mysql('mariadb', ['--connect-timeout=15']),
    dump: mysql('mariadb-dump', ['--single-transaction', '--routines', '--triggers']),
    load: mysql('mariadb', ['--connect-timeout=15'])
  }
}

function partsOf(url: URL, options: ConnectOptions) {
  return {
    host: options.host ?? url.hostname,
    port: options.port ?? url.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1))
  }
}
