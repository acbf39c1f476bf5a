import type { Dependencies } from '../../dependencies.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { redeployLiveImage } from '../deployments/deployments.service.ts'
import { updateDatabaseVariables } from '../env-vars/database-variables.service.ts'
import { isReferredTo } from '../env-vars/env-var-access.ts'
import { accountGateway } from '../networks/networks.service.ts'
import { lockProject } from '../projects/project-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { lockUser } from '../users/account-access.ts'
import { newPassword } from './account-password.service.ts'
import { connectionVariables } from './connection.policy.ts'
import { getOwnDatabase, lockOwnDatabase } from './database-access.ts'
import { type DatabaseRow, findDatabaseById, updateDatabase } from './databases.repository.ts'
import { withDatabaseLock } from './database-lock.service.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'databaseServers' | 'db' | 'engine' | 'jobs' | 'network' | 'nodeId' | 'now' | 'secretBox'
>

/** After the first commit, the reconciler completes an interrupted rotation. */
export async function rotatePassword(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<DatabaseRow> {
  return withDatabaseLock(deps, await getOwnDatabase(deps.db, id, userId), async () => {
    const pending = await accountTransaction(deps.db, userId, async (trx) => {
      const { name, type } = await lockOwnDatabase(trx, id, userId)
      await recordAudit(deps, trx, origin, {
        action: 'database.password_rotated',
        actorId: userId,
        targetId: id,
        metadata: { name, type }
      })
      return updateDatabase(trx, id, { encryptedNextPassword: deps.secretBox.seal(newPassword()) }, deps.now())
    })
    await finishRotation(deps, pending)
    return getOwnDatabase(deps.db, id, userId)
  })
}

/** The caller holds the database lock (database-lock.service.ts). */
export async function finishRotation(deps: Deps, pending: DatabaseRow): Promise<void> {
  const { id, name, type, userId, username, encryptedNextPassword } = pending
  if (encryptedNextPassword === null) return
  const password = deps.secretBox.open(encryptedNextPassword)
  const server = deps.databaseServers[type]
  await server.setPassword({ username, password })
  const { internal } = await server.addresses(() => accountGateway(deps, userId))
  const { DATABASE_URL, DB_PASSWORD } = connectionVariables(type, { database: name, username, password }, internal)
  await accountTransaction(deps.db, userId, async (trx) => {
    await lockUser(trx, userId)
    const current = await findDatabaseById(trx, id)
    if (current?.status !== 'ACTIVE' || current.encryptedNextPassword !== encryptedNextPassword) return
    const project = current.projectId === null ? undefined : await lockProject(trx, current.projectId)
    await updateDatabase(trx, id, { encryptedPassword: encryptedNextPassword, encryptedNextPassword: null }, deps.now())
    const isInjected = await updateDatabaseVariables(deps, trx, id, { DATABASE_URL, DB_PASSWORD })
    if (project && (isInjected || (await isReferredTo(trx, project.id, name))))
      await redeployLiveImage(deps, trx, project)
  })
}
