import { createServer } from 'node:net'
import { once } from 'node:events'
import { type DatabaseType, databaseTypes } from '@panel/contract/databases'
import type { Config } from '../config.ts'
import { createClientTools } from '../infra/database-dump/client-tools.ts'
import type { DatabaseDump } from '../infra/database-dump/database-dump.ts'
import type { DatabaseAccount, DatabaseServer } from '../infra/database-server/database-server.ts'
import type { DatabaseServerOptions } from '../infra/database-server/database-server-options.ts'
import { addressesOf } from '../infra/database-server/engine-address.ts'
import { createMysqlServer } from '../infra/database-server/mysql.ts'
import { createPostgresqlServer } from '../infra/database-server/postgresql.ts'
import { exists } from '../infra/disk/exists.ts'
import { run } from '../infra/process/run.ts'
import { engineDirectory } from '../process/paths.ts'
import type { DatabaseProgramOptions } from '../programs/database-program.ts'
import { startProgram, stopProgram } from '../programs/lifecycle.ts'
import type { ManagedProgram } from '../programs/managed-program.ts'
import { mariadb, mariadbProgram } from '../programs/mariadb.ts'
import { postgresql, postgresqlProgram } from '../programs/postgresql.ts'
import { databaseAdminAccount, databaseAdminPassword } from '../security/program-secrets.ts'
import type { Store } from '../wiring/store.ts'

interface Engine {
  folder: string
  given: 'POSTGRES_ADMIN_URL' | 'MYSQL_ADMIN_URL'
  scheme: string
  defaultPort: number
  packages: readonly string[]
  program(options: DatabaseProgramOptions): Promise<ManagedProgram>
  connect(options: DatabaseServerOptions): DatabaseServer
}

const engines: Readonly<Record<DatabaseType, Engine>> = {
  POSTGRESQL: {
    folder: 'postgresql',
    given: 'POSTGRES_ADMIN_URL',
    scheme: 'postgresql',
    defaultPort: 5432,
    packages: postgresql.packages,
    program: postgresqlProgram,
    connect: createPostgresqlServer
  },
  MYSQL: {
    folder: 'mysql',
    given: 'MYSQL_ADMIN_URL',
    scheme: 'mysql',
    defaultPort: 3306,
    packages: mariadb.packages,
    program: mariadbProgram,
    connect: createMysqlServer
  }
}

export interface DatabaseEngines {
  /** Creates a database with its account and loads a dump into it. Starts the engine, unless it is an external one. */
  load(type: DatabaseType, account: DatabaseAccount, dump: string, signal: AbortSignal): Promise<void>
  stop(): Promise<void>
}

/** Installs packages that are missing. */
export type Install = (packages: readonly string[]) => Promise<void>

/** The engines of a staged panel, on a port of loopback, so that nothing else reaches them. */
export function openDatabaseEngines(config: Config, store: Store, install: Install): DatabaseEngines {
  const started: ManagedProgram[] = []
  const opened = new Map<DatabaseType, Promise<{ server: DatabaseServer; tools: DatabaseDump }>>()

  async function open(type: DatabaseType, signal: AbortSignal) {
    const { given, scheme, defaultPort, packages, connect } = engines[type]
    // The client programs too, for an engine on another machine.
    await install(packages)
    const adminUrl = config[given] ?? (await start(type, scheme, signal))
    const address = addressesOf(adminUrl, defaultPort).server
    return {
      server: connect({ adminUrl, internalHost: async () => address.host }),
      // Only the server of this type is used.
      tools: createClientTools({ run, servers: { POSTGRESQL: address, MYSQL: address } })
    }
  }

  async function start(type: DatabaseType, scheme: string, signal: AbortSignal): Promise<string> {
    const port = await freePort()
    const password = await databaseAdminPassword(store, type)
    const program = await stagedEngine(config, type, { port, password })
    started.push(program)
    await startProgram(program, { signal })
    return `${scheme}://${databaseAdminAccount}:${encodeURIComponent(password)}@127.0.0.1:${port}/${type === 'POSTGRESQL' ? 'postgres' : ''}`
  }

  return {
    async load(type, account, dump, signal) {
      if (!opened.has(type)) opened.set(type, open(type, signal))
      const { server, tools } = await opened.get(type)!
      await server.provision(account)
      await tools.load(type, account, dump, signal)
    },
    async stop() {
      for (const program of started) await stopProgram(program)
    }
  }
}

/** Stops what an interrupted restore left running. */
export async function stopDatabaseEngines(config: Pick<Config, 'DATA_DIR'>): Promise<void> {
  for (const type of databaseTypes)
    if (await exists(engineDirectory(config, engines[type])))
      await stopProgram(await stagedEngine(config, type, { port: 0, password: '' }))
}

const stagedEngine = (
  config: Pick<Config, 'DATA_DIR'>,
  type: DatabaseType,
  { port, password }: { port: number; password: string }
): Promise<ManagedProgram> =>
  engines[type].program({
    directory: engineDirectory(config, engines[type]),
    listen: ['127.0.0.1'],
    port,
    containerSubnets: [],
    admin: { name: databaseAdminAccount, password },
    run
  })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
