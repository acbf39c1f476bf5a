import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  accountOf,
  type DatabaseServerEnvironment
} from '../../packages/server/test/contracts/database-server.contract.ts'
import type {
  DatabaseAccount,
  DatabaseServer
} from '../../packages/server/src/infra/database-server/database-server.ts'
import { createMysqlServer } from '../../packages/server/src/infra/database-server/mysql.ts'
import { withMysql } from '../../packages/server/src/infra/database-server/mysql-session.ts'
import { createPostgresqlServer } from '../../packages/server/src/infra/database-server/postgresql.ts'
import { withPostgresql } from '../../packages/server/src/infra/database-server/postgresql-session.ts'
import { processesIn } from '../../packages/server/src/infra/process/processes-in.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import type { DatabaseProgramOptions } from '../../packages/server/src/programs/database-program.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import type { ManagedProgram } from '../../packages/server/src/programs/managed-program.ts'
import { mariadbProgram } from '../../packages/server/src/programs/mariadb.ts'
import { postgresqlProgram } from '../../packages/server/src/programs/postgresql.ts'
import { kill, pause } from '../support/processes.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

export interface TestEngine {
  program: ManagedProgram
  dataDirectory: string
  pidFile: string
  options: DatabaseProgramOptions
  server: DatabaseServer
  newServer(): DatabaseServer
  port: number
  as(account: DatabaseAccount, ...statements: string[]): Promise<Record<string, unknown>[]>
  asAdmin(...statements: string[]): Promise<Record<string, unknown>[]>
  pids(): Promise<number[]>
  pid(): Promise<number>
  start(): ReturnType<typeof startProgram>
  stop(): Promise<void>
  close(): Promise<void>
}

const admin = { name: 'panel', password: 'a password of the test' }
const limitMs = 20_000

export type EngineName = 'PostgreSQL' | 'MariaDB'

/** Starts a private engine in the same way as `./panel up`. */
export async function startTestEngine(
  name: EngineName,
  more: Partial<DatabaseProgramOptions> = {}
): Promise<TestEngine> {
  const root = await mkdtemp(join(tmpdir(), 'engine-'))
  await chmod(root, 0o711)
  const port = await freePort()
  const options: DatabaseProgramOptions = {
    directory: join(root, 'state', name.toLowerCase()),
    listen: ['127.0.0.1'],
    port,
    containerSubnets: ['172.30.0.0/20'],
    admin,
    run,
    ...more
  }
  const isPostgresql = name === 'PostgreSQL'
  const program = await (isPostgresql ? postgresqlProgram : mariadbProgram)(options)
  await startProgram(program)
  const at = `${admin.name}:${encodeURIComponent(admin.password)}@127.0.0.1:${port}`
  const internalHost = async () => '172.30.0.1'
  // Long limits, because the machine is shared; work must still be aborted while the engine hangs.
  const limits = { questionTimeoutMs: 5_000, changeTimeoutMs: 20_000 }
  const newServer = () =>
    isPostgresql
      ? createPostgresqlServer({ adminUrl: `postgresql://${at}/postgres`, internalHost, ...limits })
      : createMysqlServer({ adminUrl: `mysql://${at}/`, internalHost, ...limits })
  const execute = async (user: string, password: string, database: string | undefined, statements: string[]) => {
    const login = { host: '127.0.0.1', port, user, password, ...(database === undefined ? {} : { database }) }
    const work = async (query: (sql: string) => Promise<Record<string, unknown>[]>) => {
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) rows = await query(statement)
      return rows
    }
    return isPostgresql ? withPostgresql(login, limitMs, work) : withMysql(login, limitMs, work)
  }
  const dataDirectory = join(options.directory, 'data')
  const engine: TestEngine = {
    program,
    dataDirectory,
    pidFile: program.command().pidFile!,
    options,
    server: newServer(),
    newServer,
    port,
    as: ({ username, password, database }, ...statements) => execute(username, password, database, statements),
    asAdmin: (...statements) => execute(admin.name, admin.password, isPostgresql ? 'postgres' : undefined, statements),
    pids: () => processesIn(dataDirectory),
    pid: async () => parseInt(await readFile(engine.pidFile, 'utf8'), 10),
    start: async () => startProgram(await (isPostgresql ? postgresqlProgram : mariadbProgram)(options)),
    stop: () => stopProgram(program),
    async close() {
      await stopProgram(program)
      await rm(root, { recursive: true })
    }
  }
  return engine
}

export function environmentOf(name: EngineName, engine: TestEngine): DatabaseServerEnvironment {
  const somebody = { ...accountOf('', 'somebody'), password: admin.password }
  return {
    server: engine.server,
    fill: async (account) =>
      void (await engine.as(account, 'CREATE TABLE goods (id int)', 'INSERT INTO goods VALUES (1)')),
    async createForeign(database, { isEmpty }) {
      await engine.asAdmin(`CREATE DATABASE ${database}`)
      if (!isEmpty) await engine.as({ ...somebody, username: admin.name, database }, 'CREATE TABLE goods (id int)')
    },
    async stateOf(database) {
      if (!(await engine.server.sizes([database])).has(database)) return 'absent'
      const sql = "SELECT 1 FROM information_schema.tables WHERE table_name = 'goods'"
      const rows =
        name === 'PostgreSQL'
          ? await engine.as({ ...somebody, username: admin.name, database }, sql)
          : await engine.asAdmin(`${sql} AND table_schema = '${database}'`)
      return rows.length === 0 ? 'empty' : 'filled'
    },
    async whileHanging(work) {
      const pids = await engine.pids()
      for (const pid of pids) await pause(pid)
      await work()
      for (const pid of pids) kill(pid, 'SIGCONT')
    },
    close: async () => {}
  }
}
