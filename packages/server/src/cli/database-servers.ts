import { join } from 'node:path'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import type { Config } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { addressesOf, isOnThisMachine } from '../infra/database-server/engine-address.ts'
import { createMysqlServer } from '../infra/database-server/mysql.ts'
import { createPostgresqlServer } from '../infra/database-server/postgresql.ts'
import type { Run } from '../infra/process/process.ts'
import { engineDirectory } from '../places.ts'
import { databaseAdminAccount, databaseAdminPassword } from '../program-secrets.ts'
import type { DatabaseProgramOptions } from '../programs/database-program.ts'
import { stopProgram } from '../programs/lifecycle.ts'
import type { ManagedProgram } from '../programs/managed-program.ts'
import { mariadbProgram, pingMariadb } from '../programs/mariadb.ts'
import { findPostgresqlPrograms, pingPostgresql, postgresqlProgram } from '../programs/postgresql.ts'
import { type Watch, watchProgram } from '../programs/watch.ts'
import { step } from './command.ts'
import { explain } from './explain.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'secretBox' | 'logger' | 'network'>

export interface Engine {
  type: DatabaseType
  name: 'PostgreSQL' | 'MariaDB'
  /** Below the state of the machine. */
  folder: string
  port: 'POSTGRES_PORT' | 'MYSQL_PORT'
  /** With it the administrator gives an engine of his own. */
  adminUrl: 'POSTGRES_ADMIN_URL' | 'MYSQL_ADMIN_URL'
  internalHost: 'POSTGRES_HOST' | 'MYSQL_HOST'
  defaultPort: number
  packages: readonly string[]
  make: (options: DatabaseProgramOptions) => Promise<ManagedProgram>
  /** The version of ours that runs. */
  ping: (place: Pick<DatabaseProgramOptions, 'directory' | 'port'> & { admin: { name: string } }) => Promise<string>
  /** The version of the one at the address. */
  pingGiven: (adminUrl: string) => Promise<string>
  /** The server's program. */
  program: (directory: string) => Promise<string>
}

const nowhere = async () => ''

const table: Readonly<Record<DatabaseType, Omit<Engine, 'type'>>> = {
  POSTGRESQL: {
    name: 'PostgreSQL',
    folder: 'postgresql',
    port: 'POSTGRES_PORT',
    adminUrl: 'POSTGRES_ADMIN_URL',
    internalHost: 'POSTGRES_HOST',
    defaultPort: 5432,
    packages: ['postgresql'],
    make: postgresqlProgram,
    ping: pingPostgresql,
    pingGiven: (adminUrl) => createPostgresqlServer({ adminUrl, internalHost: nowhere }).ping(),
    program: async (directory) => join(await findPostgresqlPrograms(directory), 'postgres')
  },
  MYSQL: {
    name: 'MariaDB',
    folder: 'mysql',
    port: 'MYSQL_PORT',
    adminUrl: 'MYSQL_ADMIN_URL',
    internalHost: 'MYSQL_HOST',
    defaultPort: 3306,
    // The whole mariadb-server would start one of Debian's.
    packages: ['mariadb-server-core'],
    make: mariadbProgram,
    ping: pingMariadb,
    pingGiven: (adminUrl) => createMysqlServer({ adminUrl, internalHost: nowhere }).ping(),
    program: async () => 'mariadbd'
  }
}

export const engines: readonly Engine[] = databaseTypes.map((type) => ({ type, ...table[type] }))

/** The engines that `up` runs itself: those that the administrator gives none of his own for. */
export const ownEngines = (config: Pick<Config, Engine['adminUrl']>): Engine[] =>
  engines.filter(({ adminUrl }) => config[adminUrl] === undefined)

/** Ports of this machine at which containers reach engines: ours, and those of the administrator that run here. */
export function databasePorts(
  config: Pick<Config, Engine['adminUrl'] | Engine['port'] | Engine['internalHost']>
): number[] {
  return engines.flatMap((engine) => {
    const given = config[engine.adminUrl]
    if (given === undefined) return [config[engine.port]]
    const isAtGateway = isOnThisMachine(given) && config[engine.internalHost] === undefined
    return isAtGateway ? [addressesOf(given, engine.defaultPort).host.port] : []
  })
}

// What a first start takes at most on a slow disk; a recovery after a power cut goes on behind the panel.
const patienceMs = 60_000

/**
 * Starts the engines and watches them, for as long as the panel runs. Where one does not start, it is tried again and again, and the
 * panel goes on: the port may be another program's, the address of the containers' network may come later.
 */
export async function startDatabaseServers(deps: Deps, run: Run): Promise<{ stop(): Promise<void> }> {
  const watches = await Promise.all(ownEngines(deps.config).map((engine) => startAndWatch(deps, engine, run)))
  return { stop: async () => void (await Promise.all(watches.map((watch) => watch.stop()))) }
}

async function startAndWatch(deps: Deps, engine: Engine, run: Run): Promise<{ stop(): Promise<void> }> {
  const { config, logger } = deps
  const portHint = `another program has the port: set ${engine.port} to a free one, or ${engine.adminUrl} to use that program`
  let isPanelWaiting = true
  let isStopping = false
  step(`Starting ${engine.name} on port ${config[engine.port]}`)
  const watch = await new Promise<Watch>((resolve) => {
    const goOn = (sentence?: string) => {
      clearTimeout(timer)
      isPanelWaiting = false
      if (sentence !== undefined) step(sentence)
      resolve(started)
    }
    const timer = setTimeout(() => goOn(`${engine.name} is still starting; the panel goes on`), patienceMs)
    const started = watchProgram(async () => engine.make(await optionsOf(deps, engine, run)), {
      onStart: () => goOn(),
      onFailure(error) {
        if (isStopping) return
        const reason = explain(error, portHint)
        if (isPanelWaiting) goOn(`The panel goes on without ${engine.name}. ${reason}`)
        else logger.error({ error: reason }, engine.name)
      }
    })
  })
  return {
    async stop() {
      isStopping = true
      await watch.stop()
      const program = watch.program()
      if (program) await stopProgram(program)
    }
  }
}

async function optionsOf(deps: Deps, engine: Engine, run: Run): Promise<DatabaseProgramOptions> {
  const { gateway, subnet } = await deps.network()
  return {
    directory: engineDirectory(deps.config, engine),
    listen: ['127.0.0.1', gateway],
    port: deps.config[engine.port],
    containerSubnet: subnet,
    admin: { name: databaseAdminAccount, password: await databaseAdminPassword(deps, engine.type) },
    run
  }
}
