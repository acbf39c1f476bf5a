import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { type WordpressState, WordpressComponent } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { readSwitches, siteTree } from './site-files.service.ts'
import { askSite, type SiteAnswer } from './site-script.service.ts'
import { findSite } from './sites.repository.ts'
import { scriptLimit } from './script.limits.ts'
import { taskView } from './task-view.ts'
import { listTasks } from './tasks.repository.ts'

const Text = z.string().max(300)

const KnownSite = z.object({
  coreVersion: Text,
  phpVersion: Text,
  coreOffers: z.array(Text).max(50),
  components: z
    .array(WordpressComponent.extend({ name: Text, version: Text, newVersion: Text.nullable(), id: Text.min(1) }))
    .max(501),
  administrators: z.array(Text).max(100),
  canSignIn: z.boolean()
})
export type KnownSite = z.infer<typeof KnownSite>

/** Versions, updates and administrators as WordPress reports them. */
export const readSite = (
  deps: Pick<Dependencies, 'config' | 'db' | 'engine' | 'nodeId' | 'nodes'>,
  project: ProjectRow,
  signal?: AbortSignal
): Promise<SiteAnswer<KnownSite>> => askSite(deps, project, { action: 'state' }, KnownSite, { signal })

export const getSiteState = workerVerb('wordpress.state', [Id, Id], siteState)

async function siteState(deps: Dependencies, userId: string, projectId: string): Promise<WordpressState> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const answer = await scriptLimit.run(userId, () => readSite(deps, project))
  const [site, [task], switches] = await Promise.all([
    findSite(deps.db, projectId),
    listTasks(deps.db, projectId, 1),
    siteTree(deps, project).then(readSwitches)
  ])
  const isRunning = task?.status === 'RUNNING'
  return {
    ...siteOf(answer),
    updatePolicy: site?.updatePolicy ?? 'OFF',
    nextUpdateAt: site?.nextUpdateAt?.toISOString() ?? null,
    ...switches,
    maintenance: isRunning && task.hasCopy ? task.maintenance : switches.maintenance,
    cron: {
      checkedAt: site?.cronCheckedAt?.toISOString() ?? null,
      nextEventAt: site?.nextEventAt?.toISOString() ?? null,
      lateSince: site?.lateSince?.toISOString() ?? null
    },
    task: task ? taskView(task) : null
  }
}

function siteOf(answer: SiteAnswer<KnownSite>): Pick<WordpressState, 'site' | 'unavailable' | 'error'> {
  if ('value' in answer) {
    const { coreVersion, phpVersion, components, administrators, canSignIn } = answer.value
    return { site: { coreVersion, phpVersion, components, administrators, canSignIn }, unavailable: null, error: null }
  }
  const { problem, text } = answer
  if (problem === 'NOT_RUNNING' || problem === 'NOT_INSTALLED') return { site: null, unavailable: problem, error: null }
  return { site: null, unavailable: 'BROKEN', error: text === '' ? null : text }
}
