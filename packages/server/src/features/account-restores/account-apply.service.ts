import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { insertPart, isRestoring } from '../backups/backup-access.ts'
import { enqueueRestore } from '../backups/backups.service.ts'
import type { ReturningDatabase } from '../backups/restore-database.service.ts'
import { databaseBytes, requireRestoreRoom } from '../backups/restore-room.service.ts'
import { lockUser } from '../users/account-access.ts'
import { listVolumes } from '../volumes/volume-access.ts'
import { type AccountPlan, idsOf } from './account-plan.service.ts'
import { type AccountRestoreRow, moveAccountRestore, type PlannedItem } from './account-restores.repository.ts'
import { copyHostNames, copyRows, copyVariables, dropLinks, settleRows } from './account-rows.repository.ts'
import type { AccountSnapshot } from './account-snapshot.service.ts'
import { listReleases, listSavedDatabases, type SavedDatabase } from './account-things.repository.ts'
import { placeDeployKeys } from './deploy-keys.service.ts'

/**
 * Brings the rows of deleted things back and queues the restores of contents, in one transaction: a process that is
 * killed has done all of it or nothing.
 */
export async function applyPlan(
  deps: Dependencies,
  row: AccountRestoreRow,
  plan: AccountPlan,
  snapshot: AccountSnapshot
): Promise<void> {
  const { userId, items, contents } = plan
  const returning = items.filter(({ change }) => change === 'RETURNS')
  const there = items.filter(({ change }) => change !== 'REFUSED' && change !== 'SKIPPED')
  const projectIds = idsOf(returning, 'PROJECT')
  await requireRestoreRoom(deps, bytesOf(plan))
  await placeDeployKeys(deps, snapshot, projectIds)
  await dropLinks(snapshot.db, { projectIds: idsOf(there, 'PROJECT'), groupIds: idsOf(there, 'VARIABLE_GROUP') })
  const databases = new Map((await listSavedDatabases(snapshot.db, userId)).map((each) => [each.id, each]))
  const rebuilt = await listReleases(snapshot.db, projectIds)
  const variableItems = new Set(idsOf(returning, 'VARIABLES'))
  const variables = plan.variables.filter(({ projectId }) => variableItems.has(projectId)).map(({ id }) => id)

  await deps.db.transaction(async (trx) => {
    if (!(await moveAccountRestore(trx, row, 'RUNNING', deps.now(), { items, rebuilt }))) return
    const isReturning = returning.some(({ kind }) => kind === 'ACCOUNT')
    if (!isReturning && !(await lockUser(trx, userId)))
      throw new AppError('CONFLICT', 'The account was deleted meanwhile. Preview the restore again.')
    const domainIds = idsOf(returning, 'DOMAIN')
    const mailboxIds = idsOf(returning, 'MAILBOX')
    await copyRows(snapshot.db, trx, {
      ACCOUNT: idsOf(returning, 'ACCOUNT'),
      VARIABLE_GROUP: idsOf(returning, 'VARIABLE_GROUP'),
      PROJECT: projectIds,
      DOMAIN: domainIds,
      MAILBOX: mailboxIds,
      SFTP: idsOf(returning, 'SFTP')
    })
    await copyVariables(snapshot.db, trx, variables)
    await copyHostNames(snapshot.db, trx, userId, domainIds)
    await settleRows(trx, userId, { domainIds, mailboxIds })
    await queueParts(deps, trx, row, { items, userId, contents, databases })
    await recordAudit(
      deps,
      trx,
      {},
      {
        action: 'account_restore.started',
        actorId: row.requestedBy,
        targetId: userId,
        metadata: { backup: row.backupId, restore: row.id, email: row.email, returned: returning.map(({ kind, name }) => `${kind} ${name}`) } // oxfmt-ignore
      }
    )
  })
}

interface Parts {
  items: readonly PlannedItem[]
  userId: string
  contents: AccountPlan['contents']
  databases: ReadonlyMap<string, SavedDatabase>
}

type Source = Pick<Parameters<typeof insertPart>[1], 'kind' | 'backupId' | 'projectId' | 'mailboxId' | 'databaseId' | 'encryptedDatabase' | 'path' | 'volumeId' | 'volumeName'> // oxfmt-ignore

/** The restores of all contents. */
async function queueParts(deps: Dependencies, trx: Transaction, row: AccountRestoreRow, parts: Parts): Promise<void> {
  const sources: Source[] = []
  for (const item of parts.items) {
    const found = await sourcesOf(deps, trx, row, { ...parts, item })
    for (const source of found)
      if (await isRestoring(trx, source))
        throw new AppError('CONFLICT', `Another restore of ${item.name} is in progress. Wait until it ends.`)
    sources.push(...found)
  }
  const now = deps.now()
  const values = { accountRestoreId: row.id, userId: parts.userId, createdAt: now, updatedAt: now }
  for (const source of sources)
    await enqueueRestore(deps, trx, await insertPart(trx, { ...values, ...source, id: newId(now.getTime()) }))
}

async function sourcesOf(
  deps: Dependencies,
  trx: Transaction,
  { backupId }: AccountRestoreRow,
  { item, contents, databases }: Omit<Parts, 'items'> & { item: PlannedItem }
): Promise<Source[]> {
  if (item.takenAt === null || !['RETURNS', 'EXCHANGED', 'BESIDE'].includes(item.change)) return []
  const id = item.key.slice(item.kind.length + 1)
  switch (item.kind) {
    case 'PROJECT': {
      const content = contents.get(id)!
      const files = { kind: 'FILES' as const, projectId: id, path: '', backupId: content.id }
      const volumes = (await listVolumes(trx, id)).filter(({ name }) => content.volumes.includes(name))
      return [files, ...volumes.map((volume) => ({ ...files, volumeId: volume.id, volumeName: volume.name }))]
    }
    case 'MAILBOX':
      return [{ kind: 'MAILBOX', mailboxId: id, backupId }]
    case 'DATABASE': {
      const database = databases.get(id)!
      const { projectId } = database
      return [
        {
          kind: 'DATABASE',
          projectId,
          databaseId: id,
          backupId: projectId === null ? backupId : contents.get(projectId)!.id,
          encryptedDatabase: item.change === 'RETURNS' ? deps.secretBox.seal(JSON.stringify(returning(database))) : null
        }
      ]
    }
    default:
      return []
  }
}

const returning = ({
  id,
  name,
  type,
  projectId,
  autoInjectEnv,
  username,
  encryptedPassword
}: SavedDatabase): ReturningDatabase => ({
  // oxfmt-ignore
  input: { name, type, autoInjectEnv, ...(projectId === null ? {} : { projectId }) },
  identity: { id, username, encryptedPassword }
})

/** Files and databases of projects: the size of mail and of single databases is not in the rows of a backup. */
function bytesOf({ items, contents }: AccountPlan): number {
  const ids = idsOf(
    items.filter(({ change, takenAt }) => takenAt !== null && (change === 'RETURNS' || change === 'EXCHANGED')),
    'PROJECT'
  )
  return ids
    .flatMap((id) => contents.get(id) ?? [])
    .reduce((sum, { bytes, databases }) => sum + databases.reduce((all, each) => all + databaseBytes(each), bytes), 0)
}
