import { setTimeout as sleep } from 'node:timers/promises'
import type { WordpressTaskItem } from '@panel/contract/wordpress-care'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { type CheckedPage, pageProblem } from './page-check.policy.ts'
import { checkPages } from './page-check.service.ts'
import { askSite, type SiteAnswer } from './site-script.service.ts'
import { taskProblem } from './task-problem.policy.ts'
import { settleMs } from './task.limits.ts'

const updateMs = 10 * 60_000

/** Updates one component and compares the pages of the site with those before. Rejects with the problem of the task. */
export async function updateItem(
  deps: Dependencies,
  project: ProjectRow,
  { kind, id, name: component, to: version }: WordpressTaskItem,
  { before, key, signal }: { before: readonly CheckedPage[]; key: string; signal: AbortSignal }
): Promise<void> {
  const ask = async (request: Parameters<typeof askSite>[2]) =>
    requireDone(component, await askSite(deps, project, request, z.unknown(), { timeoutMs: updateMs, signal }))
  await ask({ action: 'update', kind, id, version })
  // By the new code, which this process does not have yet.
  if (kind === 'CORE') await ask({ action: 'upgrade-database' })
  await sleep(settleMs, undefined, { signal })
  const problem = pageProblem(before, await checkPages(deps, project, key, signal), component)
  if (problem) throw taskProblem(problem)
}

function requireDone(component: string, answer: SiteAnswer<unknown>): void {
  if (!('problem' in answer)) return
  const { problem, text } = answer
  if (problem === 'NOT_RUNNING') throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
  const code = problem === 'REFUSED' ? 'UPDATE_REFUSED' : 'UPDATE_BROKE'
  throw taskProblem({ code, values: { component, answer: text } })
}
