import { BackupSchedule } from '@panel/contract/backup-schedule'
import type { BackupSubject, BackupTrigger } from '@panel/contract/backups'
import type { Queryable, Transaction } from '../../db/database.ts'
import { findSetting, raiseSetting, saveSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { type BackupTimes, defaultSchedule, latestSlot, startableTriggers } from './backup-schedule.policy.ts'
import { listTargets, insertBackups } from './backups.repository.ts'
import { claimProjectSlot, listScheduledProjects } from './project-backup-settings.repository.ts'
import { wakeWorkers } from './backups.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'settings'>

const scheduleKey = 'backup_schedule'
const ranKey = 'backup_schedule_ran'

export async function readSchedule(db: Queryable): Promise<BackupSchedule> {
  const stored = await findSetting(db, scheduleKey)
  return stored === undefined ? defaultSchedule : BackupSchedule.parse({ ...defaultSchedule, ...JSON.parse(stored) })
}

export const triggersNow = async ({
  db,
  now,
  settings
}: Pick<Deps, 'db' | 'now' | 'settings'>): Promise<BackupTrigger[]> =>
  startableTriggers(await readSchedule(db), settings.timezone(), now())

/** Takes effect at once. A time that passed before the change is not made up for. */
export async function changeSchedule(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  schedule: BackupSchedule
): Promise<BackupSchedule> {
  await deps.db.transaction(async (trx) => {
    const before = await readSchedule(trx)
    await saveSetting(trx, scheduleKey, JSON.stringify(schedule))
    await raiseSetting(trx, ranKey, deps.now().toISOString())
    await recordAudit(deps, trx, origin, {
      action: 'backup_schedule.changed',
      actorId: userId,
      targetId: null,
      metadata: { before, after: schedule }
    })
  })
  return schedule
}

/** Queues the backups of the latest time that has none yet, also one that passed while the panel was not running. */
export async function queueDueBackups(deps: Deps): Promise<void> {
  // A clock that was ahead must not stop a schedule until then.
  const tomorrow = new Date(deps.now().getTime() + 24 * 3600_000)
  await queueSlot(deps, await readSchedule(deps.db), {
    claim: (trx, slot) => raiseSetting(trx, ranKey, slot.toISOString(), tomorrow.toISOString())
  })
  for (const settings of await listScheduledProjects(deps.db))
    await queueSlot(deps, settings, {
      subject: 'PROJECT',
      projectId: settings.projectId,
      claim: (trx, slot) => claimProjectSlot(trx, settings.projectId, slot, tomorrow)
    })
}

interface Due {
  subject?: BackupSubject
  projectId?: string
  /** False if the backups of this time were queued before. */
  claim(trx: Transaction, slot: Date): Promise<boolean>
}

async function queueSlot(deps: Deps, times: BackupTimes, { claim, ...of }: Due): Promise<void> {
  const slot = latestSlot(times, deps.settings.timezone(), deps.now())
  if (slot === undefined) return
  // A time before a target was added does not count for it.
  const targets = (await listTargets(deps.db)).filter(
    ({ isKeyConfirmed, createdAt }) => isKeyConfirmed && createdAt < slot
  )
  if (targets.length === 0) return
  await deps.db.transaction(async (trx) => {
    if (!(await claim(trx, slot))) return
    await insertBackups(trx, { ...of, targetIds: targets.map(({ id }) => id), trigger: 'SCHEDULE', now: deps.now() })
    await wakeWorkers(deps, trx)
  })
}
