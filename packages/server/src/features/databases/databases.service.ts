import { Origin } from '../audit/origin.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type Pagination, pagination, Id } from '@panel/contract/common'
import {
  type Database,
  type DatabaseTest,
  DatabaseQuery,
  CreateDatabase,
  UpdateDatabase
} from '@panel/contract/databases'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { lazy } from '../../concurrency/lazy.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { accountGateway } from '../networks/networks.service.ts'
import { getOwnDatabase } from './database-access.ts'
import { readSizes } from './database-sizes.service.ts'
import { databaseView } from './database-view.ts'
import { type DatabaseRow, searchDatabases } from './databases.repository.ts'
import { isEngineUnavailable } from './database-lock.service.ts'
import { linkDatabase, openAccount } from './linked-project.service.ts'
import { rotatePassword } from './password-rotation.service.ts'
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

export const listDatabases = workerVerb('databases.list', [Id, DatabaseQuery], listDatabasesHere)

async function listDatabasesHere(
  deps: Deps,
  userId: string,
  query: DatabaseQuery
): Promise<{ databases: Database[]; pagination: Pagination }> {
  const { rows, total } = await searchDatabases(deps.db, userId, query)
  return { databases: await maskedViews(deps, rows), pagination: pagination(query.page, query.limit, total) }
}

export const addDatabase = workerVerb('databases.add', [Origin, Id, CreateDatabase], addDatabaseHere)

async function addDatabaseHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: CreateDatabase
): Promise<Database> {
  const { row, addresses, sizes } = await createDatabase(deps, origin, userId, input)
  return databaseView(deps.config, row, {
    addresses,
    sizeBytes: sizes.get(row.id),
    password: openAccount(deps, row).password
  })
}

export const viewDatabase = workerVerb('databases.view', [Id, Id], viewDatabaseHere)

async function viewDatabaseHere(deps: Deps, userId: string, id: string): Promise<Database> {
  const [view] = await maskedViews(deps, [await getOwnDatabase(deps.db, id, userId)])
  return view!
}

export const showDatabase = workerVerb('databases.show', [Origin, Id, Id], showDatabaseHere, { isSecret: true })

async function showDatabaseHere(deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<Database> {
  const row = await getOwnDatabase(deps.db, id, userId)
  await recordAuditAlone(deps, origin, {
    action: 'database.credentials_shown',
    actorId: userId,
    targetId: id,
    metadata: { name: row.name, type: row.type }
  })
  return openView(deps, row)
}

export const changeDatabase = workerVerb('databases.change', [Origin, Id, Id, UpdateDatabase], changeDatabaseHere)

async function changeDatabaseHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateDatabase
): Promise<Database> {
  const [view] = await maskedViews(deps, [await linkDatabase(deps, origin, userId, id, input)])
  return view!
}

export const changePassword = workerVerb('databases.changePassword', [Origin, Id, Id], changePasswordHere)

async function changePasswordHere(deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<Database> {
  return openView(deps, await rotatePassword(deps, origin, userId, id))
}

const connectionTestLimit = createConcurrencyLimit({ total: 16, perKey: 4, what: 'connection tests' })

/** Connects as the database's account. Connection errors are results, not exceptions. */
export const testDatabase = workerVerb('databases.test', [Id, Id], testDatabaseHere)

async function testDatabaseHere(deps: Deps, userId: string, id: string): Promise<DatabaseTest> {
  const row = await getOwnDatabase(deps.db, id, userId)
  try {
    const answer = await connectionTestLimit.run(userId, () =>
      deps.databaseServers[row.type].test(openAccount(deps, row))
    )
    return { ok: true, ...answer }
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'database-refused') return { ok: false, error: error.message }
    if (isEngineUnavailable(error)) return { ok: false, error: error.sentence }
    throw error
  }
}

async function maskedViews(deps: Deps, rows: readonly DatabaseRow[]): Promise<Database[]> {
  const sizes = await readSizes(deps, rows)
  const gateway = lazy(() => accountGateway(deps, rows[0]!.userId))
  return Promise.all(
    rows.map(async (row) => {
      const addresses = await deps.databaseServers[row.type].addresses(gateway)
      return databaseView(deps.config, row, { addresses, sizeBytes: sizes.get(row.id) })
    })
  )
}

async function openView(deps: Deps, row: DatabaseRow): Promise<Database> {
  const gateway = () => accountGateway(deps, row.userId)
  const [addresses, sizes] = await Promise.all([
    deps.databaseServers[row.type].addresses(gateway),
    readSizes(deps, [row])
  ])
  const { password } = openAccount(deps, row)
  return databaseView(deps.config, row, { addresses, sizeBytes: sizes.get(row.id), password })
}
