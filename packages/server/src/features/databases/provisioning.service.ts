import { randomBytes } from 'node:crypto'
import type { CreateDatabase } from '@panel/contract/databases'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { newId } from '../../security/ids.ts'
import type { DatabaseAddress, DatabaseServer } from '../../infra/database-server/database-server.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { refuseTakenVariables } from '../env-vars/database-variables.service.ts'
import { accountGateway } from '../networks/networks.service.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { claimQuota } from '../users/quotas.service.ts'
import { lockUser } from '../users/account-access.ts'
import { accountName } from './account-name.policy.ts'
import { newPassword } from './account-password.service.ts'
import { reconcileDatabase } from './database-recovery.reconcile.ts'
import {
  activateDatabase,
  type DatabaseRow,
  findDatabaseById,
  findDatabaseByName,
  insertDatabase
} from './databases.repository.ts'
import { withDatabaseLock, isEngineUnavailable } from './database-lock.service.ts'
import { readSizes } from './database-sizes.service.ts'
import { injectVariables, openAccount } from './linked-project.service.ts'

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

export interface NewDatabase {
  row: DatabaseRow
  addresses: Awaited<ReturnType<DatabaseServer['addresses']>>
  sizes: ReadonlyMap<string, number>
}

/** Of a deleted database that comes back from a backup. */
export type DatabaseIdentity = Pick<DatabaseRow, 'id' | 'username' | 'encryptedPassword'>

/**
 * Hidden row, engine, active row. Locks before the row exists, so that the reconciler does not roll it back. With
 * `identity`, quotas do not apply: an administrator brings back what the account had.
 */
export async function createDatabase(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: CreateDatabase,
  identity?: DatabaseIdentity
): Promise<NewDatabase> {
  const id = identity?.id ?? newId(deps.now().getTime())
  return withDatabaseLock(deps, { type: input.type, id, userId }, async (server) => {
    const row = await accountTransaction(deps.db, userId, (trx) =>
      reserve(deps, trx, { id, userId, input, server, identity })
    )
    try {
      const requested = server.addresses(() => accountGateway(deps, userId))
      requested.catch(() => {}) // awaited below, after provisioning, so that a failure can be rolled back
      await server.provision(openAccount(deps, row))
      const addresses = await requested
      const sizes = readSizes(deps, [row])
      return { row: await activate(deps, origin, row, addresses.internal), addresses, sizes: await sizes }
    } catch (error) {
      await tryRollBack(deps, row, error)
      throw error
    }
  })
}

async function reserve(
  deps: Deps,
  trx: Transaction,
  {
    id,
    userId,
    input,
    server,
    identity
  }: {
    id: string
    userId: string
    input: CreateDatabase
    server: DatabaseServer
    identity: DatabaseIdentity | undefined
  }
): Promise<DatabaseRow> {
  if (!identity) await claimQuota(deps, trx, userId, 'maxDatabases')
  const projectId = input.projectId ?? null
  if (projectId !== null) await getOwnProject(trx, projectId, userId)
  if (projectId !== null && input.autoInjectEnv) await refuseTakenVariables(trx, projectId)
  const now = deps.now()
  const encryptedPassword = identity?.encryptedPassword ?? deps.secretBox.seal(newPassword())
  const { name, type, autoInjectEnv } = input
  for (;;) {
    const username = identity?.username ?? accountName(name, randomBytes(4).toString('hex'), server.maxUsernameLength)
    const values = {
      id,
      userId,
      nodeId: deps.nodeId,
      name,
      type,
      projectId,
      autoInjectEnv,
      username,
      encryptedPassword
    }
    const row = await insertDatabase(trx, { ...values, createdAt: now, updatedAt: now })
    if (row) return row
    // Otherwise the username collided: retry with another random part.
    const holder = await findDatabaseByName(trx, type, name)
    if (holder) throw nameTaken(holder, userId)
    if (identity) throw new AppError('CONFLICT', `The user of the database ${name} exists already.`)
  }
}

function nameTaken(holder: DatabaseRow, userId: string): AppError {
  return holder.userId === userId && holder.status !== 'ACTIVE'
    ? new AppError('DATABASE_CHANGING', `${holder.name} is being created or deleted. Try again in a moment.`)
    : new AppError(
        'DATABASE_NAME_EXISTS',
        `The name ${holder.name} is already taken on this server. Choose another name.`
      )
}

async function activate(
  deps: Deps,
  origin: AuditOrigin,
  created: DatabaseRow,
  internal: DatabaseAddress
): Promise<DatabaseRow> {
  const { id, userId, name, type } = created
  return accountTransaction(deps.db, userId, async (trx) => {
    // The project may have been deleted in the meantime. Without a project, only the state can have changed.
    const { projectId, autoInjectEnv } = created.projectId === null ? created : await lockLink(trx, created)
    if (projectId !== null && autoInjectEnv) await injectVariables(deps, trx, created, projectId, internal)
    const [row] = await Promise.all([
      activateDatabase(trx, id, deps.now()),
      recordAudit(deps, trx, origin, {
        action: 'database.created',
        actorId: userId,
        targetId: id,
        metadata: { name, type, projectId, autoInjectEnv }
      })
    ])
    return row ?? throwRemoved()
  })
}

async function lockLink(trx: Transaction, { id, userId }: DatabaseRow): Promise<DatabaseRow> {
  const [, row] = await Promise.all([lockUser(trx, userId), findDatabaseById(trx, id)])
  if (!row) return throwRemoved()
  if (row.projectId !== null && row.autoInjectEnv) ownedBy(await lockProject(trx, row.projectId), userId)
  return row
}

function throwRemoved(): never {
  throw new AppError('NOT_FOUND', 'The database was deleted in the meantime')
}

/** Does not retry an engine that is down: the reconciler rolls back. */
async function tryRollBack(deps: Deps, { id, name, type }: DatabaseRow, reason: unknown): Promise<void> {
  if (isEngineUnavailable(reason)) return
  await reconcileDatabase(deps, id).catch((error: unknown) =>
    deps.logger.warn({ database: name, type, error: messageOf(error) }, 'Could not roll back database creation')
  )
}
