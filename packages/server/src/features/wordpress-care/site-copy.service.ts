import type { Dependencies } from '../../dependencies.ts'
import { isStaged, makeStagingDirectory, removeStaged } from '../../infra/staging/staging.ts'
import { projectDirectory } from '../../process/paths.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { listInstances } from '../containers/instances.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { findDatabaseById } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { noteFilesWritten, requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { forgetPages } from '../wordpress/page-cache.service.ts'
import { newStagingAccount } from '../wordpress/site-staging.service.ts'
import { carePaths, copiedDatabaseOf, replacedDatabaseOf, restoredDatabaseOf } from './care-paths.service.ts'
import { siteEndpoint } from './page-check.service.ts'
import { setMaintenance, siteTree } from './site-files.service.ts'
import type { SiteDatabase } from '../wordpress/site-database.service.ts'
import { taskProblem } from './task-problem.policy.ts'
import { markTaskCleaned, setUndoBytes, type TaskRow } from './tasks.repository.ts'
import { replacedParts } from './undo.policy.ts'

/** The database as it is; with the tables of this site alone it can be restored. */
export async function saveDatabase(deps: Dependencies, taskId: string, database: SiteDatabase, signal: AbortSignal) {
  const { account, prefix } = database
  const names = (await deps.siteDatabase.listImmovable(account.database)).slice(0, 5)
  if (names.length > 0) throw taskProblem({ code: 'TABLES_IMMOVABLE', values: { names: names.join(', ') } })
  await deps.siteDatabase.requireUnlocked(account)
  if (!(await hasTables(deps, database)))
    throw taskProblem({ code: 'TABLES_LOCKED', values: { answer: `There is no table ${prefix}options.` } })
  const { directory, dump } = carePaths(deps.config, taskId)
  await makeStagingDirectory(directory)
  await removeStaged(dump)
  const maxBytes = await requireFreeDisk(deps)
  await deps.databaseDump.dump('MYSQL', account, dump, { maxBytes, signal, isWithoutPrograms: true })
}

/** Whether WordPress is installed there. */
export async function hasTables(
  { siteDatabase }: Pick<Dependencies, 'siteDatabase'>,
  { account, prefix }: SiteDatabase
) {
  return (await siteDatabase.listTables(account)).some(({ name }) => name === `${prefix}options`)
}

/** A copy of its own, so that a restore moves it and needs no space, however full the account is by then. */
export async function saveFiles(deps: Dependencies, taskId: string, project: ProjectRow, signal: AbortSignal) {
  const uid = await requireUid(deps, project)
  const { directory, files } = carePaths(deps.config, taskId)
  await makeStagingDirectory(directory)
  await removeStaged(files)
  const space = await requireAccountSpace(deps, project.userId)
  await deps.fileStore.capture(projectDirectory(deps.config, project.id), files, {
    uid,
    maxBytes: await requireFreeDisk(deps, space),
    maxFiles: Infinity,
    signal
  })
}

/**
 * Brings files and tables back to where they were. Repeated from the start after a kill: each step finds what it did. The site
 * is stopped meanwhile, which also ends what the site's code still does.
 */
export async function restoreSite(
  deps: Dependencies,
  task: TaskRow,
  project: ProjectRow,
  { files, database, signal }: { files: boolean; database: boolean; signal: AbortSignal }
) {
  const containers = files || task.kind !== 'REPLACEMENT' ? await stopSite(deps, project) : []
  if (database && task.tablePrefix !== null) await restoreDatabase(deps, task, task.tablePrefix, signal)
  if (files) await restoreFiles(deps, task, project)
  await startAgain(deps, project, containers, signal)
}

async function restoreFiles(deps: Dependencies, task: TaskRow, project: ProjectRow): Promise<void> {
  const { files, copied, before, replaced } = carePaths(deps.config, task.id)
  const uid = await requireUid(deps, project)
  await syncProjectDirectories(deps, project.userId)
  const replace = (by: string, previous: string) => deps.hostHelper.replaceProject(uid, project.id, by, previous)
  if (!task.copy) return replace(files, replaced)
  // An exchange that was interrupted is completed first, so that there is something to exchange back.
  if (await isStaged(copied)) await replace(copied, before)
  await replace(before, replaced)
}

export async function stopSite(deps: Dependencies, project: ProjectRow): Promise<readonly string[]> {
  const there = await onMachine(deps, project.nodeId)
  const containers = await listInstances(there, project)
  await Promise.all(containers.map((id) => there.engine.stopContainer(id, stopGraceSeconds)))
  return containers
}

async function restoreDatabase(deps: Dependencies, task: TaskRow, prefix: string, signal: AbortSignal): Promise<void> {
  const row = task.databaseId === null ? undefined : await findDatabaseById(deps.db, task.databaseId)
  if (!row) throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
  const { databaseServers, siteDatabase } = deps
  const staging = newStagingAccount(restoredDatabaseOf(task.id))
  await databaseServers.MYSQL.drop(staging)
  await databaseServers.MYSQL.provision(staging)
  await deps.databaseDump.load('MYSQL', staging, carePaths(deps.config, task.id).dump, signal)
  await siteDatabase.dropOthers(staging, prefix)
  const previous = replacedDatabaseOf(task.id)
  await siteDatabase.dropPrevious(previous)
  const live = openAccount(deps, row).database
  await siteDatabase.exchange({ staged: staging.database, live, previous, prefixes: [prefix] })
}

export async function startAgain(
  deps: Dependencies,
  project: ProjectRow,
  containers: readonly string[],
  signal: AbortSignal
) {
  const current = await findProject(deps.db, project.id)
  if (current?.status !== 'ACTIVE' || current.asleepSince !== null) return
  const { engine } = await onMachine(deps, project.nodeId)
  await Promise.all(containers.map((id) => engine.startContainer(id)))
  const endpoint = await siteEndpoint(deps, project)
  if (!endpoint || containers[0] === undefined) return
  await waitUntilReady(engine, containers[0], endpoint, {
    health: null,
    hostname: siteHostname(deps.config, project),
    timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
    signal
  })
}

/** Opens the site to visitors again and removes what a task that has ended does not need any more. Idempotent. */
export async function cleanUpTask(deps: Dependencies, task: TaskRow): Promise<void> {
  const project = await findProject(deps.db, task.projectId)
  if (project) {
    const tree = await siteTree(deps, project)
    // What changed without WordPress' own functions is unknown to the page cache.
    await forgetPages(tree)
    await setMaintenance(tree, task.maintenance)
  }
  for (const id of [task.id, ...(task.undoOf === null ? [] : [task.undoOf])]) {
    for (const name of [restoredDatabaseOf(id), copiedDatabaseOf(id)])
      await deps.databaseServers.MYSQL.drop({ database: name, username: name })
    await deps.siteDatabase.dropPrevious(replacedDatabaseOf(id))
    if (id !== task.id || task.undoUntil === null) await removeStagedTree(deps, carePaths(deps.config, id).name)
  }
  if (task.undoUntil !== null) await keepForUndo(deps, task)
  await markTaskCleaned(deps.db, task)
}

async function keepForUndo(deps: Dependencies, task: TaskRow): Promise<void> {
  const { directory, dump, copiedDump } = carePaths(deps.config, task.id)
  await removeStaged(copiedDump)
  if (!replacedParts(task).database) await removeStaged(dump)
  const bytes = (await deps.serverDisk.measure([directory])).get(directory) ?? 0
  if (await setUndoBytes(deps.db, task.id, bytes)) await noteFilesWritten(deps, task.userId, bytes)
}

export async function requireUid({ db }: Pick<Dependencies, 'db'>, { userId }: ProjectRow): Promise<number> {
  const uid = await findUid(db, userId)
  if (uid === undefined) throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
  return uid
}
