import { Id } from '@panel/contract/common'
import {
  UpdateWordpress,
  type WordpressCopy,
  type WordpressReplacement,
  type WordpressTask,
  type WordpressTaskItem,
  type WordpressTaskTrigger
} from '@panel/contract/wordpress-care'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import { getOwnSite } from '../wordpress/wordpress-access.ts'
import { scriptLimit } from './script.limits.ts'
import { readSite } from './site-state.service.ts'
import { valueOf } from './site-script.service.ts'
import { isSiteServing } from './sites.repository.ts'
import { taskView } from './task-view.ts'
import { findTask, insertTask, listTasks, type TaskRow } from './tasks.repository.ts'
import { availableUpdates } from './update-choice.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>

const listed = 20

export const requestUpdates = workerVerb('wordpress.requestUpdates', [Origin, Id, Id, UpdateWordpress], updatesHere)

async function updatesHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { components }: UpdateWordpress
): Promise<WordpressTask> {
  const project = await getOwnSite(deps.db, projectId, userId)
  const site = valueOf(await scriptLimit.run(userId, () => readSite(deps, project)))
  const items = availableUpdates(site, components)
  if (items.length === 0 || (components && items.length < components.length))
    throw new AppError('CONFLICT', components ? 'WordPress knows of no update for some of these components.' : 'Everything is up to date.') // oxfmt-ignore
  return queueUpdate(deps, origin, { userId, projectId, items, trigger: 'MANUAL' })
}

export function queueUpdate(
  deps: Deps,
  origin: AuditOrigin,
  what: { userId: string; projectId: string; items: WordpressTaskItem[]; trigger: WordpressTaskTrigger }
): Promise<WordpressTask> {
  const { userId, projectId, items, trigger } = what
  return queueTask(deps, origin, { userId, projectId, items, trigger, kind: 'UPDATE' })
}

export async function requestReplacement(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  replacement: WordpressReplacement
): Promise<WordpressTask> {
  await getOwnSite(deps.db, projectId, userId)
  return queueTask(deps, origin, { userId, projectId, replacement, trigger: 'MANUAL', kind: 'REPLACEMENT' })
}

export async function requestCopy(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  copy: WordpressCopy
): Promise<WordpressTask> {
  await getOwnSite(deps.db, projectId, userId)
  await getOwnSite(deps.db, copy.fromProjectId, userId)
  if (copy.fromProjectId === projectId) throw new AppError('CONFLICT', 'A site cannot be copied to itself.')
  return queueTask(deps, origin, { userId, projectId, copy, trigger: 'MANUAL', kind: 'COPY' })
}

export async function requestUndo(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  taskId: string
): Promise<WordpressTask> {
  await getOwnSite(deps.db, projectId, userId)
  const { undoUntil } = await requireTask(deps.db, projectId, taskId)
  if (undoUntil === null || undoUntil <= deps.now())
    throw new AppError('CONFLICT', 'This change cannot be undone: what it replaced is no longer kept.')
  return queueTask(deps, origin, { userId, projectId, undoOf: taskId, trigger: 'MANUAL', kind: 'UNDO' })
}

async function queueTask(
  deps: Deps,
  origin: AuditOrigin,
  values: Pick<TaskRow, 'userId' | 'projectId' | 'kind' | 'trigger'> & Partial<TaskRow>
): Promise<WordpressTask> {
  const { userId, projectId } = values
  return deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    if (!(await isSiteServing(trx, projectId)))
      throw new AppError('CONFLICT', 'The site is stopped, asleep, being deployed, imported or changed. Try again when it is running.') // oxfmt-ignore
    return startTask(deps, trx, origin, values)
  })
}

/** In the transaction that made sure that the site can be changed. */
export async function startTask(
  deps: Deps,
  trx: Transaction,
  origin: AuditOrigin,
  values: Pick<TaskRow, 'userId' | 'projectId' | 'kind' | 'trigger'> & Partial<TaskRow>
): Promise<WordpressTask> {
  const now = deps.now()
  const { userId, projectId, kind, trigger, items = [], replacement, copy } = values
  const row = await insertTask(trx, { ...values, id: newId(now.getTime()), createdAt: now, updatedAt: now })
  if (!row) throw new AppError('CONFLICT', 'Another change to this site is in progress. Wait for it to finish.')
  await deps.jobs.enqueue(trx, 'wordpress.task', { taskId: row.id }, { key: row.id, account: userId })
  if (!replacement?.dryRun)
    await recordAudit(deps, trx, origin, {
      action: auditActions[kind],
      actorId: trigger === 'MANUAL' ? userId : null,
      targetId: projectId,
      metadata: {
        trigger,
        items: items.map(({ id, from, to }) => `${id} ${from} ${to}`).slice(0, 50),
        ...(copy && { from: copy.fromProjectId, files: copy.files, database: copy.database })
      }
    })
  return taskView(row)
}

const auditActions = {
  UPDATE: 'wordpress.updated',
  REPLACEMENT: 'wordpress.text_replaced',
  COPY: 'wordpress.copied',
  UNDO: 'wordpress.undone'
} as const

export async function getTasks(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string
): Promise<{ tasks: WordpressTask[] }> {
  await getOwnProject(db, projectId, userId)
  return { tasks: (await listTasks(db, projectId, listed)).map(taskView) }
}

export async function getTask(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string,
  taskId: string
): Promise<WordpressTask> {
  await getOwnProject(db, projectId, userId)
  return taskView(await requireTask(db, projectId, taskId))
}

async function requireTask(db: Queryable, projectId: string, taskId: string): Promise<TaskRow> {
  const row = await findTask(db, taskId)
  if (row?.projectId !== projectId) throw new AppError('NOT_FOUND', 'Task not found')
  return row
}
