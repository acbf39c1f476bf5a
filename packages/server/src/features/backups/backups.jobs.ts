import type { BackupSubject } from '@panel/contract/backups'
import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import type { WorkerContext } from '../feature.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { findProject } from '../projects/project-access.ts'
import {
  type BackupRow,
  claimBackup,
  claimMaintenance,
  deleteFailedBefore,
  deleteSnapshotRows,
  failQueued,
  findTarget,
  moveBackup,
  type TargetRow,
  updateOwnBackup,
  updateTarget,
  wasGoodBefore
} from './backups.repository.ts'
import { backUpPanel } from './panel-backup.service.ts'
import { backUpProject, type MadeBackup } from './project-backup.service.ts'
import { readSchedule, triggersNow } from './schedule.service.ts'
import type { BackupWork } from './stage-backup.service.ts'
import { openRepository } from './targets.service.ts'

const progressEveryMs = 1_000
const maintainEveryMs = 20 * 3600_000
const failedKeptMs = 30 * 24 * 3600_000
// Each check reads this part of all data, another one each time.
const dataParts = 30

/** Works until no target has a queued backup. A failing target never stops the others. */
export async function runBackups(deps: Dependencies, { lease, signal }: Pick<WorkerContext, 'lease' | 'signal'>) {
  for (;;) {
    const row = signal.aborted
      ? undefined
      : await claimBackup(deps.db, lease.workerId, await triggersNow(deps), deps.now())
    if (!row) return
    const target = await findTarget(deps.db, row.targetId)
    if (!target) continue // The row went with it.
    await runOne(deps, row, target, lease.workerId, signal)
  }
}

async function runOne(
  deps: Dependencies,
  row: BackupRow,
  target: TargetRow,
  workerId: number,
  signal: AbortSignal
): Promise<void> {
  try {
    const { uploadLimitKib } = await readSchedule(deps.db)
    const saved = await makers[row.subject](deps, row, {
      repository: openRepository(deps, target),
      uploadLimitKib,
      signal,
      onProgress: storeProgress(deps, row, workerId)
    })
    if (saved === 'gone') {
      await moveBackup(deps.db, row, 'FAILED', deps.now(), { problem: 'The project was deleted.' })
      return
    }
    await succeed(deps, row, target, saved)
    await maintain(deps, target.id, workerId, signal)
  } catch (error) {
    if (signal.aborted) await moveBackup(deps.db, row, 'QUEUED', deps.now(), { attempts: row.attempts - 1 })
    else await fail(deps, row, target, error)
  }
}

type Maker = (deps: Dependencies, row: BackupRow, work: BackupWork) => Promise<MadeBackup | 'gone'>

const makers: Readonly<Record<BackupSubject, Maker>> = {
  PANEL: (deps, _row, work) => backUpPanel(deps, work),
  async PROJECT(deps, { projectId }, work) {
    const project = await findProject(deps.db, projectId!)
    return project ? backUpProject(deps, { ...work, project }) : 'gone'
  }
}

function storeProgress(deps: Dependencies, { id }: BackupRow, workerId: number) {
  let last = 0
  return (progress: { bytesDone: number; bytesTotal: number }) => {
    if (Date.now() - last < progressEveryMs) return
    last = Date.now()
    updateOwnBackup(deps.db, id, workerId, progress, deps.now()).catch((error: unknown) =>
      deps.logger.warn({ backup: id, error: messageOf(error) }, 'backup progress not stored')
    )
  }
}

async function succeed(deps: Dependencies, row: BackupRow, target: TargetRow, saved: MadeBackup): Promise<void> {
  const { snapshotId, files, bytes, bytesAdded, databases, excluded, volumes } = saved
  await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const values = {
      snapshotId,
      files,
      bytes,
      bytesAdded,
      databases,
      excluded,
      volumes,
      bytesDone: bytes,
      bytesTotal: bytes
    }
    if (!(await moveBackup(trx, row, 'GOOD', now, { ...values, problem: null }))) return
    await updateTarget(trx, target.id, { lastGoodAt: now, problem: null }, now)
  })
}

async function fail(deps: Dependencies, row: BackupRow, target: TargetRow, error: unknown): Promise<void> {
  const problem = problemOf(error)
  const isOfTarget = error instanceof AdapterError && error.kind === 'backup-target-unavailable'
  deps.logger.warn({ backup: row.id, target: target.name, project: row.projectId, error: messageOf(error) }, 'backup failed') // oxfmt-ignore
  await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const isNew = isOfTarget ? target.problem === null : await wasGoodBefore(trx, row)
    if (!(await moveBackup(trx, row, 'FAILED', now, { problem }))) return
    if (isOfTarget) {
      await updateTarget(trx, target.id, { problem }, now)
      // The others would wait for the same time limit.
      await failQueued(trx, target.id, problem, now)
    }
    if (!isNew) return
    await notifyAdmins(deps, trx, {
      kind: 'backup-failed',
      subject: { type: 'server', id: target.id, name: target.name },
      text: [
        row.projectName === null
          ? { code: 'PANEL_BACKUP_FAILED', values: { target: target.name, problem } }
          : { code: 'BACKUP_FAILED', values: { project: row.projectName, target: target.name, problem } }
      ],
      link: '/server/backups'
    })
  })
}

function problemOf(error: unknown): string {
  if (error instanceof AdapterError) return error.message
  return asAppError(error)?.message ?? 'Internal error. Check the log of the panel.'
}

/** Once a day per target, after its last queued backup: retention, then a check that reads a part of the data. */
async function maintain(deps: Dependencies, targetId: string, workerId: number, signal: AbortSignal): Promise<void> {
  const now = deps.now()
  const target = await claimMaintenance(deps.db, targetId, workerId, new Date(now.getTime() - maintainEveryMs))
  if (!target) return
  const repository = openRepository(deps, target)
  try {
    const removed = await deps.backupRepository.retain(repository, await readSchedule(deps.db), signal)
    await deleteSnapshotRows(deps.db, target.id, removed)
    await deleteFailedBefore(deps.db, new Date(now.getTime() - failedKeptMs))
    await deps.backupRepository.maintain(repository, `${(target.checks % dataParts) + 1}/${dataParts}`, signal)
    await updateTarget(deps.db, target.id, { lastCheckedAt: now, checks: target.checks + 1, problem: null }, now)
  } catch (error) {
    if (signal.aborted) return
    deps.logger.warn({ target: target.name, error: messageOf(error) }, 'backup maintenance failed')
    await updateTarget(deps.db, target.id, { problem: problemOf(error) }, now)
  } finally {
    await updateTarget(deps.db, target.id, { workerId: null }, deps.now())
  }
}
