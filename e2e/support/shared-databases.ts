import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../packages/server/src/infra/process/run.ts'
import type { DatabaseProgramOptions } from '../../packages/server/src/programs/database-program.ts'
import { startProgram, stopProgram } from '../../packages/server/src/programs/lifecycle.ts'
import type { ManagedProgram } from '../../packages/server/src/programs/managed-program.ts'
import { mariadbProgram } from '../../packages/server/src/programs/mariadb.ts'
import { postgresqlProgram } from '../../packages/server/src/programs/postgresql.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

type Variable = 'POSTGRES_ADMIN_URL' | 'MYSQL_ADMIN_URL'

const inProcess = (variable: Variable) => `TEST_${variable}`

/** Database servers of this test run, for panels whose tests are not about databases; empty outside a run. */
export function sharedDatabases(): Record<string, string> {
  const given = (['POSTGRES_ADMIN_URL', 'MYSQL_ADMIN_URL'] as const).map((name) => [name, process.env[inProcess(name)]])
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** For panels whose tests need their own database servers. */
export const ownDatabases = { POSTGRES_ADMIN_URL: '', MYSQL_ADMIN_URL: '' }

/** Starts one PostgreSQL and one MariaDB and announces them to the workers. Returns a function that stops them. */
export async function startSharedDatabases(): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'panel-databases-'))
  await chmod(root, 0o711)
  const admin = { name: 'panel', password: randomBytes(16).toString('hex') }
  const started: ManagedProgram[] = []
  const start = async (
    variable: Variable,
    make: (options: DatabaseProgramOptions) => Promise<ManagedProgram>,
    url: (address: string) => string
  ) => {
    const port = await freePort()
    const directory = join(root, variable.toLowerCase())
    const options = { directory, listen: ['127.0.0.1'], port, containerSubnets: ['127.0.0.0/8'], admin, run }
    const program = await make(options)
    started.push(program)
    await startProgram(program)
    process.env[inProcess(variable)] = url(`${admin.name}:${admin.password}@127.0.0.1:${port}`)
  }
  const stop = async () => {
    await Promise.all(started.map(stopProgram))
    await rm(root, { recursive: true, force: true })
  }
  try {
    await Promise.all([
      start('POSTGRES_ADMIN_URL', postgresqlProgram, (address) => `postgresql://${address}/postgres`),
      start('MYSQL_ADMIN_URL', mariadbProgram, (address) => `mysql://${address}/`)
    ])
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
