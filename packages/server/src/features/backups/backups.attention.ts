import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { isOverdue } from './backup-schedule.policy.ts'
import { listTargets } from './backups.repository.ts'
import { readSchedule } from './schedule.service.ts'

/** Targets that failed, or that have no good backup as young as the schedule promises. */
export const backupsNeedingAttention: AttentionSource = {
  isOfServer: true,
  async list({ db, now, settings }) {
    const schedule = await readSchedule(db)
    const targets = await listTargets(db)
    const isLate = (target: (typeof targets)[number]) =>
      target.isKeyConfirmed && isOverdue(schedule, settings.timezone(), now(), { ...target, since: target.createdAt })
    const found = targets.filter((target) => target.problem !== null || isLate(target))
    return foundIn(found, ({ id, name, problem, lastGoodAt }) =>
      attentionItem(problem === null ? 'BACKUP_OVERDUE' : 'BACKUP_FAILED', 'backup', id, name, {
        detail: problem,
        ...(lastGoodAt === null ? {} : { since: lastGoodAt })
      })
    )
  }
}
