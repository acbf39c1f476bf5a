import { basename, join } from 'node:path'
import { Id } from '@panel/contract/common'
import type { Restore } from '@panel/contract/backups'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError, asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import {
  giveStagedDirectory,
  isStaged,
  makeStagingDirectory,
  moveStaged,
  removeStaged
} from '../../infra/staging/staging.ts'
import { projectDirectory, stagingRoot } from '../../process/paths.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { findDatabaseByName } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { createDatabase } from '../databases/provisioning.service.ts'
import { deleteDatabase } from '../databases/removal.service.ts'
import { redeployFiles } from '../deployments/deployments.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { findProject, getOwnProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { listVolumes } from '../volumes/volume-access.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { findUid } from '../users/account-access.ts'
import { restoreView } from './backup-view.ts'
import { requireGood, requireRestore } from './backups.service.ts'
import { findBackup, findTarget } from './backups.repository.ts'
import { dropMailboxRestore, isExchangingMail, restoreMailbox, undoMs } from './mailbox-restores.service.ts'
import { listExpiredRestores, moveRestore, type RestoreRow, updateRestore } from './restores.repository.ts'
import { snapshotPath } from './snapshot-paths.policy.ts'
import { openRepository, requireTarget } from './targets.service.ts'

export const stagingPrefix = 'restore-'

/** On the file system of the projects, so that files are moved into place by renaming. */
function stagingOf({ config }: Pick<Dependencies, 'config'>, id: string) {
  const directory = join(stagingRoot(config), `${stagingPrefix}${id}`)
  const at = (name: string) => join(directory, name)
  return { directory, restored: at('restored'), files: at('files'), previous: at('previous'), undone: at('undone') }
}

/** Restores next to the current files. The project changes only with the exchange; after it, a retry only finishes. */
export async function runRestore(deps: Dependencies, workerId: number, restoreId: string, signal: AbortSignal) {
  const row = await moveRestore(deps.db, { id: restoreId, workerId: null }, 'RUNNING', deps.now(), { workerId })
  if (!row) return
  try {
    await runners[row.kind](deps, row, signal)
  } catch (error) {
    deps.logger.warn({ restore: row.id, error: messageOf(error) }, 'restore failed')
    const mustFinish = await hasBegunExchange(deps, row)
    if (signal.aborted || mustFinish) {
      await moveRestore(deps.db, row, 'QUEUED', deps.now())
      return
    }
    await drop(deps, row)
    await moveRestore(deps.db, row, 'FAILED', deps.now(), { problem: problemOf(error) })
  }
}

type Runner = (deps: Dependencies, row: RestoreRow, signal: AbortSignal) => Promise<void>

const ofProject =
  (run: (deps: Dependencies, row: RestoreRow, project: ProjectRow, signal: AbortSignal) => Promise<void>): Runner =>
  async (deps, row, signal) => {
    const project = await findProject(deps.db, row.projectId!)
    if (!project) throw projectGone()
    await run(deps, row, project, signal)
  }

const runners: Readonly<Record<RestoreRow['kind'], Runner>> = {
  FILES: ofProject(restoreFiles),
  DATABASE: ofProject(restoreDatabase),
  MAILBOX: restoreMailbox
}

/** Once the files of the project or the mail were moved away, only finishing is safe. */
async function hasBegunExchange(deps: Dependencies, row: RestoreRow): Promise<boolean> {
  if (row.kind !== 'MAILBOX') return (await isStaged(stagingOf(deps, row.id).previous)) && (await hasTarget(deps, row))
  const isLive = getOwnMailbox(deps.db, row.mailboxId!, row.userId).then(
    () => true,
    () => false
  )
  return (await isLive) && isExchangingMail(deps, row)
}

/** Removes what a restore staged or keeps. */
const drop = (deps: Dependencies, row: RestoreRow): Promise<void> =>
  row.kind === 'MAILBOX' ? dropMailboxRestore(deps, row) : removeStaged(stagingOf(deps, row.id).directory)

/** Whether what the files are restored into still exists. */
const hasTarget = async ({ db }: Pick<Dependencies, 'db'>, { volumeId, projectId }: RestoreRow): Promise<boolean> =>
  volumeId === null
    ? (await findProject(db, projectId!)) !== undefined
    : (await listVolumes(db, projectId!)).some(({ id }) => id === volumeId)

const volumeGone = () => new AppError('NOT_FOUND', 'The volume was deleted.')
const projectGone = () => new AppError('NOT_FOUND', 'The project was deleted.')

function problemOf(error: unknown): string {
  if (error instanceof AdapterError) return error.message
  return asAppError(error)?.message ?? 'Internal error. Ask an administrator to check the log of the panel.'
}

async function fetchFromBackup(
  deps: Dependencies,
  row: RestoreRow,
  path: string,
  signal: AbortSignal
): Promise<string> {
  const { backup } = requireGood(await findBackup(deps.db, row.projectId!, row.backupId))
  const target = requireTarget(await findTarget(deps.db, backup.targetId))
  const { directory, restored } = stagingOf(deps, row.id)
  await removeStaged(directory)
  await makeStagingDirectory(restored)
  await deps.backupRepository.restore(openRepository(deps, target), backup.snapshotId!, {
    path,
    directory: restored,
    signal
  })
  const found = join(restored, path)
  if (!(await isStaged(found))) throw new AppError('NOT_FOUND', 'The backup has nothing at this path.')
  return found
}

async function restoreFiles(
  deps: Dependencies,
  row: RestoreRow,
  project: ProjectRow,
  signal: AbortSignal
): Promise<void> {
  if (!(await hasTarget(deps, row))) throw volumeGone()
  const isWhole = row.path === null || row.path === ''
  const { directory, files, previous, restored } = stagingOf(deps, row.id)
  const path = snapshotPath(row.path ?? '', row.volumeName)
  // With the previous files there, an interrupted run had begun to exchange: only finish that.
  const isExchanging = isWhole && (await isStaged(previous))
  if (!isExchanging) {
    const found = await fetchFromBackup(deps, row, path, signal)
    if (isWhole) await moveStaged(found, files)
  }
  await syncProjectDirectories(deps, project.userId)
  const uid = (await findUid(deps.db, project.userId))!
  if (isWhole) {
    await deps.hostHelper.replaceProject(uid, rootOf(row, project), files, previous)
  } else await putBeside(deps, row, project, { restored: join(restored, path), uid })
  await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const undoUntil = isWhole ? new Date(now.getTime() + undoMs) : null
    if (!(await moveRestore(trx, row, 'COMPLETED', now, { undoUntil }))) return
    if (isWhole) await redeploy(deps, trx, project.id)
    await recordAudit(deps, trx, {}, { action: 'backup.restored', actorId: row.userId, targetId: project.id, metadata: { backup: row.backupId, path: row.path, ...(row.volumeName !== null && { volume: row.volumeName }) } }) // prettier-ignore
  })
  if (!isWhole) await removeStaged(directory)
}

/** Id of the directory that a restore changes. */
const rootOf = ({ volumeId }: RestoreRow, project: ProjectRow): string => volumeId ?? project.id

/** A rename into the top directory of the project or volume: no part of the path belongs to the tenant. */
async function putBeside(
  { config }: Pick<Dependencies, 'config'>,
  row: RestoreRow,
  project: ProjectRow,
  { restored, uid }: { restored: string; uid: number }
): Promise<void> {
  const folder = join(restored, '..', 'beside')
  await makeStagingDirectory(folder)
  await moveStaged(restored, join(folder, basename(restored)))
  await giveStagedDirectory(folder, uid)
  const into = join(projectDirectory(config, rootOf(row, project)), besideName(row.id))
  await removeStaged(into)
  await moveStaged(folder, into)
}

/** Directory in the project that gets single restored files. */
const besideName = (restoreId: string): string => `restored-${restoreId.slice(-8).toLowerCase()}`

async function redeploy(deps: Dependencies, trx: Transaction, projectId: string): Promise<void> {
  const project = await lockProject(trx, projectId)
  // A project that was never deployed stays so.
  if (project && project.containerId !== null) await redeployFiles(deps, trx, project)
}

async function restoreDatabase(
  deps: Dependencies,
  row: RestoreRow,
  project: ProjectRow,
  signal: AbortSignal
): Promise<void> {
  const { backup } = requireGood(await findBackup(deps.db, row.projectId!, row.backupId))
  const { id, name, type } = backup.databases.find((database) => database.id === row.databaseId)!
  const dump = await fetchFromBackup(deps, row, `/databases/${id}.sql`, signal)
  // An interrupted run left a half-filled one.
  const earlier = row.databaseName === null ? undefined : await findDatabaseByName(deps.db, type, row.databaseName)
  if (earlier?.userId === project.userId) await deleteDatabase(deps, {}, project.userId, earlier.id)
  const databaseName = restoredName(name, row.id)
  await updateRestore(deps.db, row.id, { databaseName }, deps.now())
  const created = await createDatabase(deps, {}, project.userId, { name: databaseName, type, autoInjectEnv: false })
  try {
    await deps.databaseDump.load(type, openAccount(deps, created.row), dump, signal)
  } catch (error) {
    await deleteDatabase(deps, {}, project.userId, created.row.id)
    throw error
  }
  await deps.db.transaction(async (trx) => {
    if (!(await moveRestore(trx, row, 'COMPLETED', deps.now()))) return
    await recordAudit(deps, trx, {}, { action: 'backup.restored', actorId: row.userId, targetId: project.id, metadata: { backup: row.backupId, database: databaseName } }) // prettier-ignore
  })
  await removeStaged(stagingOf(deps, row.id).directory)
}

/** At most 63 characters, as names of databases may be. */
const restoredName = (name: string, restoreId: string): string =>
  `${name.slice(0, 45)}_restored_${restoreId
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')}`

/** Puts the files from before the restore back. */
export const undoRestore = workerVerb(
  'backups.undoRestore',
  [Origin, Id, Id, Id],
  async (
    deps: Dependencies,
    origin: AuditOrigin,
    userId: string,
    projectId: string,
    restoreId: string
  ): Promise<Restore> => {
    const project = await getOwnProject(deps.db, projectId, userId)
    const row = await requireRestore(deps.db, projectId, restoreId)
    if (row.status !== 'COMPLETED' || row.undoUntil === null)
      throw new AppError('CONFLICT', 'This restore cannot be undone: nothing from before it is kept.')
    if (!(await hasTarget(deps, row))) throw volumeGone()
    const { directory, previous, undone: restored } = stagingOf(deps, row.id)
    const uid = (await findUid(deps.db, userId))!
    await syncProjectDirectories(deps, userId)
    await deps.hostHelper.replaceProject(uid, rootOf(row, project), previous, restored)
    const undone = await deps.db.transaction(async (trx) => {
      const undone = await moveRestore(trx, row, 'UNDONE', deps.now(), { undoUntil: null })
      if (!undone) throw new AppError('CONFLICT', 'This restore was changed by another request.')
      await redeploy(deps, trx, projectId)
      return undone
    })
    await recordAuditAlone(deps, origin, { action: 'backup.restore_undone', actorId: userId, targetId: projectId, metadata: { restore: restoreId } }) // prettier-ignore
    await removeStaged(directory)
    return restoreView(undone)
  }
)

/** Deletes files kept for undo after their expiry. */
export async function removeExpired(deps: Dependencies): Promise<void> {
  for (const row of await listExpiredRestores(deps.db, deps.now())) {
    await drop(deps, row)
    await updateRestore(deps.db, row.id, { undoUntil: null }, deps.now())
  }
}
