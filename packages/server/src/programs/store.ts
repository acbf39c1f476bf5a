import type { Config } from '../config.ts'
import { embeddedProgram, hasEmbeddedPostgres, isStoreRoots } from '../db/embedded-postgres.ts'
import { storeDirectory } from '../process/paths.ts'
import { messageOf } from '../text/message-of.ts'
import type { Finding } from './finding.ts'
import type { MachineContext, Program } from './program.ts'

export const store: Program<Pick<MachineContext, 'config' | 'run'>> = {
  name: 'store',
  title: 'the embedded database',
  packages: [],
  needs: [],
  isRequired: true,
  isOurs: (config) => config.DATABASE_URL === undefined,
  ports: () => [],
  portHint: '',
  open: ({ config, run }) => embeddedProgram(storeDirectory(config), run),
  ping: ({ db }) => db.$client.query('select 1'),
  remedy: { code: 'CHECK_STORE' },
  inspect
}

async function inspect({ DATABASE_URL: connectionString, DATA_DIR }: Config): Promise<Finding> {
  if (connectionString === undefined) {
    const found = hasEmbeddedPostgres()
    const remedy = !found
      ? 'Run npm ci, or set DATABASE_URL'
      : (await isStoreRoots(storeDirectory({ DATA_DIR })))
        ? 'Its files belong to root. Restart ./panel up with DATA_DIR on a file system that supports file ownership'
        : undefined
    return { part: 'Database (embedded)', found, ...(remedy === undefined ? {} : { remedy }) }
  }
  const part = 'Database (DATABASE_URL)'
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return { part, found: true, version: rows[0]!.server_version, running: true, reachable: true }
  } catch (error) {
    return { part, found: true, reachable: false, remedy: `DATABASE_URL: ${messageOf(error)}` }
  } finally {
    await client.end().catch(() => {}) // It may never have connected.
  }
}
