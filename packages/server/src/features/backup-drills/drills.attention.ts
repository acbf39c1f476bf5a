import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listFailedProjects } from './drills.repository.ts'

/** Projects whose latest drill failed. */
export const drillsNeedingAttention: AttentionSource = {
  isOfServer: true,
  list: async ({ db }) =>
    foundIn(await listFailedProjects(db), ({ id, projectName, problem, endedAt }) =>
      attentionItem('BACKUP_DRILL_FAILED', 'backup', id, projectName, {
        detail: problem,
        ...(endedAt === null ? {} : { since: endedAt })
      })
    )
}
