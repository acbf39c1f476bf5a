import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { type Database, type DatabaseType, databaseTypes } from '@panel/contract/databases'
import { type RunningPanel, startMeasuredPanel } from './panel.ts'
import { createSecretBox } from '../packages/server/src/infra/secret-box/secret-box.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

const rounds = 15
const names: Record<DatabaseType, string> = { POSTGRESQL: 'PostgreSQL', MYSQL: 'MariaDB' }

/**
 * Creates a database through the API, up to its answer, and with the statements that an administrator types, on the same servers. The panel
 * adds its own durable commits: little beside the 80 ms that PostgreSQL takes, much beside the 3 ms of MariaDB.
 */
export async function benchDatabases(): Promise<void> {
  const encryptionKey = randomBytes(32).toString('hex')
  const ports = { POSTGRESQL: await freePort(), MYSQL: await freePort() }
  const panel = await startMeasuredPanel({
    ENCRYPTION_KEY: encryptionKey,
    POSTGRES_PORT: String(ports.POSTGRESQL),
    MYSQL_PORT: String(ports.MYSQL)
  })
  try {
    const user = await panel.signUp()
    for (const type of databaseTypes) {
      const engine = bareEngines[type](ports[type], await adminPassword(panel, encryptionKey, type))
      const milliseconds = { bare: [] as number[], panel: [] as number[] }
      // Interleaved, so that noise meets both alike, after as many rounds to warm up. What was made goes before the next one.
      await step(`creating ${2 * rounds} databases each way on ${names[type]}`, async () => {
        for (let round = 0; round < 2 * rounds; round++) {
          const name = `bench_${randomBytes(6).toString('hex')}`
          const bare = await timed(() => engine.create(name))
          await engine.drop(name)
          const made = await timed(() => user.call<Database>('POST', '/databases', { name, type }))
          await user.call('DELETE', `/databases/${made.result.id}`)
          if (round < rounds) continue
          milliseconds.bare.push(bare.milliseconds)
          milliseconds.panel.push(made.milliseconds)
        }
      })
      const [bare, own] = [median(milliseconds.bare), median(milliseconds.panel)]
      report(`${names[type]}, statements`, `${bare.toFixed(1)} ms`)
      report(`${names[type]}, panel`, `${own.toFixed(1)} ms`)
      report(`${names[type]}, panel to statements`, '', { value: own / bare })
    }
  } finally {
    await panel.dispose()
  }
}

interface BareEngine {
  /** Connects, and makes a database with an account that may use it alone. */
  create(name: string): Promise<void>
  drop(name: string): Promise<void>
}

const bareEngines: Record<DatabaseType, (port: number, password: string) => BareEngine> = {
  POSTGRESQL(port, password) {
    const run = async (database: string, ...statements: string[]) => {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'panel', password, database })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
    return {
      async create(name) {
        await run(
          'postgres',
          `create role ${name} login password 'of the bench'`,
          `create database ${name} owner ${name} template template0`,
          `revoke all on database ${name} from public`
        )
        await run(name, 'revoke all on schema public from public', `grant all on schema public to ${name}`)
      },
      drop: (name) => run('postgres', `drop database ${name}`, `drop role ${name}`)
    }
  },
  MYSQL(port, password) {
    const run = async (...statements: string[]) => {
      const connection = await createConnection({ host: '127.0.0.1', port, user: 'panel', password })
      for (const statement of statements) await connection.query(statement)
      await connection.end()
    }
    return {
      create: (name) =>
        run(
          `create user ${name}@'%' identified by 'of the bench'`,
          `create database ${name} character set utf8mb4`,
          `grant all privileges on ${name}.* to ${name}@'%'`
        ),
      drop: (name) => run(`drop database ${name}`, `drop user ${name}@'%'`)
    }
  }
}

async function adminPassword(panel: RunningPanel, encryptionKey: string, type: DatabaseType): Promise<string> {
  const key = `${type.toLowerCase()}_admin_password`
  const [setting] = await panel.query<{ value: string }>('select value from settings where key = $1', [key])
  return createSecretBox(encryptionKey).open(setting!.value)
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now()
  const result = await work()
  return { result, milliseconds: performance.now() - start }
}
