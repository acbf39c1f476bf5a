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
import { projectDirectory } from '../../process/paths.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { redeployFiles } from '../deployments/deployments.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { findProject, getOwnProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { listVolumes } from '../volumes/volume-access.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { findUid } from '../users/account-access.ts'
import { restoreView } from './backup-view.ts'
import { requireRestore } from './backups.service.ts'
import {
  dropMailboxRestore,
  isExchangingMail,
  restoreMailbox,
  undoMailboxRestore,
  undoMs
} from './mailbox-restores.service.ts'
import { restoreDatabase } from './restore-database.service.ts'
import { fetchFromBackup, requireSource, stagingOf } from './restore-staging.service.ts'
import { listExpiredRestores, moveRestore, type RestoreRow, updateRestore } from './restores.repository.ts'
import { snapshotPath } from './snapshot-paths.policy.ts'

/** Restores next to the current files. The project changes only with the exchange; after it, a retry only finishes. */
export async function runRestore(deps: Dependencies, workerId: number, restoreId: string, signal: AbortSignal) {
  const row = await moveRestore(deps.db, { id: restoreId, workerId: null }, 'RUNNING', deps.now(), { workerId })
  if (!row) return
  try {
    const result = await runners[row.kind](deps, row, signal)
    // The reconcile loop starts it again.
    if (result === 'later') await moveRestore(deps.db, row, 'QUEUED', deps.now())
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

type Runner = (deps: Dependencies, row: RestoreRow, signal: AbortSignal) => Promise<'later' | void>

const ofProject =
  (run: (deps: Dependencies, row: RestoreRow, project: ProjectRow, signal: AbortSignal) => Promise<void>): Runner =>
  async (deps, row, signal) => {
    const project = await findProject(deps.db, row.projectId!)
    if (!project) throw projectGone()
    await run(deps, row, project, signal)
  }

const runners: Readonly<Record<RestoreRow['kind'], Runner>> = {
  FILES: ofProject(restoreFiles),
  DATABASE: restoreDatabase,
  MAILBOX: restoreMailbox
}

/** Once the files of the project or the mail were moved away, only finishing is safe. */
async function hasBegunExchange(deps: Dependencies, row: RestoreRow): Promise<boolean> {
  if (row.kind === 'DATABASE') return false
  if (row.kind === 'FILES') return (await isStaged(stagingOf(deps, row.id).previous)) && (await hasTarget(deps, row))
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
    const backup = await requireSource(deps, row)
    // The size of a part of a backup is unknown.
    const bytes = isWhole ? (backup.bytes ?? 0) : 0
    const found = await fetchFromBackup(deps, row, backup, { path, bytes, signal })
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
    await recordAudit(deps, trx, {}, { action: 'backup.restored', actorId: row.userId, targetId: project.id, metadata: { backup: row.backupId, path: row.path, ...(row.volumeName !== null && { volume: row.volumeName }) } }) // oxfmt-ignore
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
    await recordAuditAlone(deps, origin, { action: 'backup.restore_undone', actorId: userId, targetId: projectId, metadata: { restore: restoreId } }) // oxfmt-ignore
    await removeStaged(directory)
    return restoreView(undone)
  }
)

/** Undoes a part of the restore of an account. */
export async function undoPart(deps: Dependencies, origin: AuditOrigin, row: RestoreRow): Promise<void> {
  if (row.kind === 'MAILBOX') await undoMailboxRestore(deps, origin, row.userId, row.mailboxId!, row.id)
  else await undoRestore(deps, origin, row.userId, row.projectId!, row.id)
}

/** Removes what is kept for undoing, at once. */
export async function keepRestored(deps: Dependencies, row: RestoreRow): Promise<void> {
  await drop(deps, row)
  await updateRestore(deps.db, row.id, { undoUntil: null }, deps.now())
}

/** Deletes files kept for undo after their expiry. */
export async function removeExpired(deps: Dependencies): Promise<void> {
  for (const row of await listExpiredRestores(deps.db, deps.now())) await keepRestored(deps, row)
}
