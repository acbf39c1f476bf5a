import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseType } from '@panel/contract/databases'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError, asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { DatabaseServer } from '../../infra/database-server/database-server.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { siteDatabaseName } from './account-name.policy.ts'
import { reconcileDatabase } from './database-recovery.reconcile.ts'
import { type DatabaseRow, listDatabasesOfProject } from './databases.repository.ts'
import { withDatabaseLock } from './database-lock.service.ts'
import { createDatabase } from './provisioning.service.ts'

type Deps = Pick<
  Dependencies,
  | 'config'
  | 'databaseServers'
  | 'db'
  | 'engine'
  | 'features'
  | 'jobs'
  | 'logger'
  | 'network'
  | 'nodeId'
  | 'now'
  | 'secretBox'
>
type Project = Pick<ProjectRow, 'id' | 'userId' | 'name'>

const lockWaitMs = 30_000

/** Returns the project's database, creating one (counts in the quota). Idempotent; rejects like `createDatabase`. */
export async function ensureProjectDatabase(
  deps: Deps,
  project: Project,
  type: DatabaseType,
  signal?: AbortSignal
): Promise<DatabaseRow> {
  return withLock(
    deps.db,
    `project-database:${type}:${project.id}`,
    { waitMs: lockWaitMs, ifHeld: refuse },
    async () => {
      const rows = await listDatabasesOfProject(deps.db, project.id, type)
      const found = rows.find((row) => row.status === 'ACTIVE' && row.autoInjectEnv)
      if (found) return found
      // A leftover of a crash would block the name and the quota until the reconciler runs.
      for (const left of rows.filter((row) => row.status === 'PROVISIONING'))
        await withDatabaseLock(deps, left, () => reconcileDatabase(deps, left.id))
      await untilStarted(deps.databaseServers[type], signal)
      return createUnderFreeName(deps, project, type)
    }
  )
}

const refuse = () => {
  throw new AppError('DATABASE_CHANGING', 'The database of this project is being created. Try again in a moment.')
}

const startLimitMs = 5 * 60_000
const startPollMs = 1000

/** A request does not wait for the whole first start of a server, which takes minutes on a slow machine. A job does. */
async function untilStarted(server: DatabaseServer, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + startLimitMs
  for (;;) {
    const error: unknown = await server.ping().then(() => undefined, (reason: unknown) => reason) // oxfmt-ignore
    if (!(error instanceof AdapterError && error.remedy === 'TRY_AGAIN') || performance.now() > deadline) return
    await sleep(startPollMs, undefined, { signal })
  }
}

const maxAttempts = 5

/** Names are server-wide, so another account may own the plain one. */
async function createUnderFreeName(deps: Deps, project: Project, type: DatabaseType): Promise<DatabaseRow> {
  for (let attempt = 1; ; attempt++) {
    const name = siteDatabaseName(project.name, attempt === 1 ? undefined : randomBytes(3).toString('hex'))
    try {
      const input = { name, type, projectId: project.id, autoInjectEnv: true }
      return (await createDatabase(deps, {}, project.userId, input)).row
    } catch (error) {
      const code = asAppError(error)?.code
      const isTaken = code === 'DATABASE_NAME_EXISTS' || code === 'DATABASE_CHANGING'
      if (!isTaken || attempt === maxAttempts) throw error
    }
  }
}
