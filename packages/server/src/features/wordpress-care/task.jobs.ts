import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WordpressCopy, WordpressTaskProblem } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { openSiteDatabase } from '../wordpress/site-database.service.ts'
import { copyProblem } from './page-check.policy.ts'
import { checkPages } from './page-check.service.ts'
import { replaceTexts } from './replacement.service.ts'
import { exchangeContent, findCopiedSites, requireRoom, stageContent } from './site-content.service.ts'
import { restoreSite, saveDatabase, saveFiles, startAgain, stopSite } from './site-copy.service.ts'
import { readSwitches, showMaintenance, siteTree } from './site-files.service.ts'
import { taskPage } from './maintenance.render.ts'
import { endTask } from './task-end.service.ts'
import { problemOfTask, taskProblem } from './task-problem.policy.ts'
import { isBeingDeployed } from './sites.repository.ts'
import { deployPollMs, settleMs } from './task.limits.ts'
import { claimTask, findTask, type TaskRow, updateTask } from './tasks.repository.ts'
import { changedParts } from './undo.policy.ts'
import { dropUndo, runUndo } from './undo.service.ts'
import { updateItem } from './update-item.service.ts'

export async function runTask(
  deps: Dependencies,
  workerId: number,
  taskId: string,
  signal: AbortSignal
): Promise<void> {
  const task = await claimTask(deps.db, taskId, workerId, deps.now())
  if (!task) return
  const project = await findProject(deps.db, task.projectId)
  if (!project) return endTask(deps, task, 'FAILED', [{ code: 'SITE_CHANGED_MEANWHILE' }])
  if (task.kind === 'UNDO') return runUndo(deps, task, project, signal)
  if (task.step === 'SAVING') return endTask(deps, task, 'FAILED', [{ code: 'TASK_INTERRUPTED' }])
  if (task.step !== 'QUEUED') return restore(deps, task, project, signal)
  try {
    await change(deps, task, project, signal)
    await endTask(deps, task, 'SUCCEEDED', [])
  } catch (error) {
    await giveUp(deps, task.id, project, signal, error)
  }
}

type Step = (values: Partial<TaskRow>) => Promise<void>

async function change(deps: Dependencies, task: TaskRow, project: ProjectRow, signal: AbortSignal): Promise<void> {
  const step: Step = async (values: Partial<TaskRow>) => {
    signal.throwIfAborted()
    if (!(await findProject(deps.db, project.id)) || !(await updateTask(deps.db, task.id, values, deps.now())))
      throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
  }
  if (task.copy) return copySite(deps, task, task.copy, project, { step, signal })
  const tree = await siteTree(deps, project)
  const database = await openSiteDatabase(deps, project, tree)
  if (task.replacement?.dryRun) {
    await step({ step: 'CHANGING' })
    await step(await replaceTexts(deps, database, task.replacement, signal))
    return
  }
  const { maintenance } = await readSwitches(tree)
  await dropUndo(deps, project.id)
  await step({ step: 'SAVING', maintenance, hasCopy: true, databaseId: database.id, tablePrefix: database.prefix })
  // From here on only the panel gets in, so a restore loses nothing that visitors wrote.
  const key = randomBytes(32).toString('base64url')
  await showMaintenance(tree, taskPage(key))
  await sleep(settleMs, undefined, { signal })
  await saveDatabase(deps, task.id, database, signal)
  if (task.replacement) {
    await step({ step: 'CHANGING' })
    await step(await replaceTexts(deps, database, task.replacement, signal))
    return
  }
  await saveFiles(deps, task.id, project, signal)
  const before = await checkPages(deps, project, key, signal)
  await step({ step: 'CHANGING' })
  for (const [index, item] of task.items.entries()) {
    await updateItem(deps, project, item, { before, key, signal })
    await step({ done: index + 1 })
  }
}

async function copySite(
  deps: Dependencies,
  task: TaskRow,
  copy: WordpressCopy,
  queued: ProjectRow,
  { step, signal }: { step: Step; signal: AbortSignal }
): Promise<void> {
  const project = await untilDeployed(deps, queued, signal)
  const sites = await findCopiedSites(deps, project, copy)
  const tree = await siteTree(deps, project)
  const { maintenance } = await readSwitches(tree)
  await dropUndo(deps, project.id)
  if (copy.files) await requireRoom(deps, sites.source)
  const tablePrefix = sites.isNew ? null : sites.to.prefix
  await step({ step: 'SAVING', maintenance, hasCopy: true, databaseId: sites.to.id, tablePrefix })
  const key = randomBytes(32).toString('base64url')
  await showMaintenance(tree, taskPage(key))
  await sleep(settleMs, undefined, { signal })
  if (!sites.isNew) await saveDatabase(deps, task.id, sites.to, signal)
  await stageContent(deps, task, project, sites, signal)
  await step({ step: 'CHANGING' })
  const containers = await stopSite(deps, project)
  await exchangeContent(deps, task, project, sites)
  await showMaintenance(await siteTree(deps, project), taskPage(key))
  // From now on the reconciler does not stop the containers.
  await step({ done: 1 })
  await startAgain(deps, project, containers, signal)
  if (!copyProblem(await checkPages(deps, project, key, signal))) return
  // The reconciler may have begun to stop the containers just before.
  await sleep(settleMs, undefined, { signal })
  const problem = copyProblem(await checkPages(deps, project, key, signal))
  if (problem) throw taskProblem(problem)
}

/** A new staging copy is deployed before its content comes. */
async function untilDeployed(deps: Dependencies, { id }: ProjectRow, signal: AbortSignal): Promise<ProjectRow> {
  for (;;) {
    const project = await findProject(deps.db, id)
    if (!project) throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
    if (!(await isBeingDeployed(deps.db, id))) {
      if (project.containerId === null) throw taskProblem({ code: 'SITE_NOT_DEPLOYED' })
      return project
    }
    await sleep(deployPollMs, undefined, { signal })
  }
}

/** Nothing was changed before CHANGING. Afterwards the site is restored, at the latest by the next worker. */
async function giveUp(
  deps: Dependencies,
  taskId: string,
  project: ProjectRow,
  signal: AbortSignal,
  error: unknown
): Promise<void> {
  const task = await findTask(deps.db, taskId)
  if (task?.status !== 'RUNNING') return
  const problem: WordpressTaskProblem = signal.aborted ? [{ code: 'TASK_INTERRUPTED' }] : problemOfTask(error)
  deps.logger.warn({ task: taskId, step: task.step, error: messageOf(error) }, 'WordPress task failed')
  if (task.step !== 'CHANGING' || !task.hasCopy) return endTask(deps, task, 'FAILED', problem)
  await updateTask(deps.db, taskId, { step: 'RESTORING', problem }, deps.now())
  if (signal.aborted) await updateTask(deps.db, taskId, { workerId: null }, deps.now())
  else await restore(deps, { ...task, problem }, project, signal)
}

async function restore(deps: Dependencies, task: TaskRow, project: ProjectRow, signal: AbortSignal): Promise<void> {
  if (!task.hasCopy) return endTask(deps, task, 'FAILED', [{ code: 'TASK_INTERRUPTED' }])
  const problem: WordpressTaskProblem = task.problem.length > 0 ? task.problem : [{ code: 'TASK_INTERRUPTED' }]
  await updateTask(deps.db, task.id, { step: 'RESTORING', problem }, deps.now())
  try {
    await restoreSite(deps, task, project, { ...changedParts(task), signal })
  } catch (error) {
    deps.logger.error({ task: task.id, error: messageOf(error) }, 'Could not restore WordPress site yet')
    await updateTask(deps.db, task.id, { workerId: null }, deps.now())
    return
  }
  await endTask(deps, task, 'ROLLED_BACK', problem)
}
