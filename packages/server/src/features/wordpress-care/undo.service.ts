import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { findDatabaseById } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { isAccountFull, noteFilesWritten } from '../disk-usage/disk-usage-access.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { carePaths } from './care-paths.service.ts'
import { restoreSite } from './site-copy.service.ts'
import { readSwitches, siteTree } from './site-files.service.ts'
import { endTask } from './task-end.service.ts'
import { problemOfTask, taskProblem } from './task-problem.policy.ts'
import { expireUndo, findTask, forgetUndo, listUndoable, type TaskRow, updateTask } from './tasks.repository.ts'
import { replacedParts } from './undo.policy.ts'

/** Puts back what a task replaced. From RESTORING on it is repeated until it succeeds. */
export async function runUndo(
  deps: Dependencies,
  task: TaskRow,
  project: ProjectRow,
  signal: AbortSignal
): Promise<void> {
  const undone = task.undoOf === null ? undefined : await findTask(deps.db, task.undoOf)
  if (!undone?.undoUntil || (task.step === 'QUEUED' && undone.undoUntil <= deps.now()))
    return endTask(deps, task, 'FAILED', [{ code: 'UNDO_GONE' }])
  const parts = replacedParts(undone)
  if (task.step === 'QUEUED') {
    try {
      if (parts.database) await requireDatabase(deps, undone)
      const { maintenance } = await readSwitches(await siteTree(deps, project))
      const { databaseId } = undone
      await updateTask(deps.db, task.id, { step: 'RESTORING', hasCopy: true, maintenance, databaseId }, deps.now())
    } catch (error) {
      return endTask(deps, task, 'FAILED', problemOfTask(error))
    }
  }
  try {
    await restoreSite(deps, undone, project, { ...parts, signal })
  } catch (error) {
    deps.logger.error({ task: task.id, error: messageOf(error) }, 'Could not undo a change of a WordPress site yet')
    await updateTask(deps.db, task.id, { workerId: null }, deps.now())
    return
  }
  await endTask(deps, task, 'SUCCEEDED', [])
}

async function requireDatabase(deps: Dependencies, { databaseId }: TaskRow): Promise<void> {
  const database = databaseId === null ? undefined : await findDatabaseById(deps.db, databaseId)
  if (!database) throw taskProblem({ code: 'UNDO_GONE' })
  await deps.siteDatabase.requireUnlocked(openAccount(deps, database))
}

/** Before the next change, which would be lost with an undo of an earlier one. */
export async function dropUndo(deps: Dependencies, projectId: string): Promise<void> {
  for (const task of await listUndoable(deps.db, projectId)) await drop(deps, task)
}

/** Those that have expired, and those of accounts that need the space. */
export async function dropOldUndos(deps: Dependencies): Promise<void> {
  for (const task of await listUndoable(deps.db))
    if (task.undoUntil! <= deps.now() || (await isAccountFull(deps, task.userId))) await drop(deps, task)
}

async function drop(deps: Dependencies, { id, userId, undoBytes }: TaskRow): Promise<void> {
  if (!(await expireUndo(deps.db, id))) return
  await removeStagedTree(deps, carePaths(deps.config, id).name)
  await noteFilesWritten(deps, userId, -undoBytes)
  await forgetUndo(deps.db, id)
}
