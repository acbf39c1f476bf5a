import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { nextUpdate } from './cron.policy.ts'
import { readSite } from './site-state.service.ts'
import { claimUpdate, isSiteServing, listSitesToUpdate, type SiteRow } from './sites.repository.ts'
import { queueUpdate } from './task-request.service.ts'
import { listTasks } from './tasks.repository.ts'
import { automaticUpdates } from './update-choice.policy.ts'

const sitesPerRound = 50
const rememberedTasks = 50

/** Queues the updates of sites whose time of the day has come. */
export async function queueAutomaticUpdates(deps: Dependencies, signal: AbortSignal): Promise<void> {
  for (const { project, site } of await listSitesToUpdate(deps.db, deps.now(), sitesPerRound)) {
    if (signal.aborted) return
    await queueForSite(deps, project, site, signal).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      deps.logger.warn({ project: project.id, error: messageOf(error) }, 'could not start automatic WordPress updates')
    })
  }
}

async function queueForSite(
  deps: Dependencies,
  project: ProjectRow,
  site: SiteRow,
  signal: AbortSignal
): Promise<void> {
  const now = deps.now()
  if (!(await claimUpdate(deps.db, project.id, now, nextUpdate(project.id, now)))) return
  if (!(await isSiteServing(deps.db, project.id))) return
  const answer = await readSite(deps, project, signal)
  if (!('value' in answer)) return
  const tasks = await listTasks(deps.db, project.id, rememberedTasks)
  const rolledBack = tasks.flatMap(({ status, items, done }) => (status === 'ROLLED_BACK' ? (items[done] ?? []) : []))
  const items = automaticUpdates(answer.value, site.updatePolicy, rolledBack)
  if (items.length === 0) return
  await queueUpdate(deps, {}, { userId: project.userId, projectId: project.id, items, trigger: 'AUTOMATIC' })
}
