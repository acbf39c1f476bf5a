import type { CreateDatabase } from '@panel/contract/databases'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { removeStaged } from '../../infra/staging/staging.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { findDatabaseByName } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { createDatabase, type DatabaseIdentity } from '../databases/provisioning.service.ts'
import { deleteDatabase } from '../databases/removal.service.ts'
import { findProject } from '../projects/project-access.ts'
import { copiesName } from './panel-backup.service.ts'
import { databaseBytes } from './restore-room.service.ts'
import { fetchFromBackup, requireSource, stagingOf } from './restore-staging.service.ts'
import { moveRestore, type RestoreRow, updateRestore } from './restores.repository.ts'

/** A deleted database that comes back with its id, name, user and password. */
export interface ReturningDatabase {
  input: CreateDatabase
  identity: DatabaseIdentity
}

/** Into a new database beside the present one, or into the one that was deleted. */
export async function restoreDatabase(deps: Dependencies, row: RestoreRow, signal: AbortSignal): Promise<void> {
  const { userId } = row
  if (row.projectId !== null && !(await findProject(deps.db, row.projectId)))
    throw new AppError('NOT_FOUND', 'The project was deleted.')
  const backup = await requireSource(deps, row)
  const saved = backup.databases.find((database) => database.id === row.databaseId)
  if (!saved) throw new AppError('NOT_FOUND', 'Database not found in this backup')
  const { id, name, type } = saved
  const path = `${row.projectId === null ? `/${copiesName}` : ''}/databases/${id}.sql`
  const dump = await fetchFromBackup(deps, row, backup, { path, bytes: databaseBytes(saved), signal })
  const { input, identity } = newDatabaseOf(deps, row, { name, type })
  // An interrupted run left a half-filled one. The name of a deleted database may be that of another one by now.
  const earlier = row.databaseName === null ? undefined : await findDatabaseByName(deps.db, type, row.databaseName)
  if (earlier?.userId === userId && (identity === undefined || earlier.id === identity.id))
    await deleteDatabase(deps, {}, userId, earlier.id)
  await updateRestore(deps.db, row.id, { databaseName: input.name }, deps.now())
  const created = await createDatabase(deps, {}, userId, input, identity)
  try {
    await deps.databaseDump.load(type, openAccount(deps, created.row), dump, signal)
  } catch (error) {
    await deleteDatabase(deps, {}, userId, created.row.id)
    throw error
  }
  await deps.db.transaction(async (trx) => {
    if (!(await moveRestore(trx, row, 'COMPLETED', deps.now()))) return
    await recordAudit(deps, trx, {}, { action: 'backup.restored', actorId: userId, targetId: row.projectId ?? id, metadata: { backup: row.backupId, database: input.name } }) // oxfmt-ignore
  })
  await removeStaged(stagingOf(deps, row.id).directory)
}

function newDatabaseOf(
  { secretBox }: Pick<Dependencies, 'secretBox'>,
  { id, encryptedDatabase }: RestoreRow,
  { name, type }: Pick<CreateDatabase, 'name' | 'type'>
): { input: CreateDatabase; identity?: DatabaseIdentity } {
  if (encryptedDatabase === null) return { input: { name: restoredName(name, id), type, autoInjectEnv: false } }
  return JSON.parse(secretBox.open(encryptedDatabase)) as ReturningDatabase
}

/** At most 63 characters, as names of databases may be. */
const restoredName = (name: string, restoreId: string): string =>
  `${name.slice(0, 45)}_restored_${restoreId
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')}`
