import type { Dependencies } from '../../dependencies.ts'
import { makeStagingDirectory, removeStaged } from '../../infra/staging/staging.ts'
import { projectDirectory } from '../../process/paths.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { listInstances } from '../containers/instances.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { findDatabaseById } from '../databases/database-access.ts'
import { openAccount } from '../databases/linked-project.service.ts'
import { requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { forgetPages } from '../wordpress/page-cache.service.ts'
import { newStagingAccount } from '../wordpress/site-staging.service.ts'
import { carePaths, copiedDatabaseOf, replacedDatabaseOf, restoredDatabaseOf } from './care-paths.service.ts'
import { siteEndpoint } from './page-check.service.ts'
import { setMaintenance, siteTree } from './site-files.service.ts'
import type { SiteDatabase } from '../wordpress/site-database.service.ts'
import { taskProblem } from './task-problem.policy.ts'
import { markTaskCleaned, type TaskRow } from './tasks.repository.ts'

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
export async function restoreSite(deps: Dependencies, task: TaskRow, project: ProjectRow, signal: AbortSignal) {
  const withFiles = task.kind !== 'REPLACEMENT'
  const containers = withFiles ? await stopSite(deps, project) : []
  if (task.tablePrefix !== null) await restoreDatabase(deps, task, task.tablePrefix, signal)
  if (!withFiles) return
  const { files, replaced } = carePaths(deps.config, task.id)
  await syncProjectDirectories(deps, project.userId)
  await deps.hostHelper.replaceProject(await requireUid(deps, project), project.id, files, replaced)
  await startAgain(deps, project, containers, signal)
}

export async function stopSite(deps: Dependencies, project: ProjectRow): Promise<readonly string[]> {
  const containers = await listInstances(deps, project)
  await Promise.all(containers.map((id) => deps.engine.stopContainer(id, stopGraceSeconds)))
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
  await Promise.all(containers.map((id) => deps.engine.startContainer(id)))
  const endpoint = await siteEndpoint(deps, project)
  if (!endpoint || containers[0] === undefined) return
  await waitUntilReady(deps.engine, containers[0], endpoint, {
    health: null,
    hostname: siteHostname(deps.config, project),
    timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
    signal
  })
}

/** Opens the site to visitors again and removes the copies of a task that has ended. Idempotent. */
export async function cleanUpTask(deps: Dependencies, task: TaskRow): Promise<void> {
  const project = await findProject(deps.db, task.projectId)
  if (project) {
    const tree = await siteTree(deps, project)
    // What changed without WordPress' own functions is unknown to the page cache.
    await forgetPages(tree)
    await setMaintenance(tree, task.maintenance)
  }
  for (const name of [restoredDatabaseOf(task.id), copiedDatabaseOf(task.id)])
    await deps.databaseServers.MYSQL.drop({ database: name, username: name })
  await deps.siteDatabase.dropPrevious(replacedDatabaseOf(task.id))
  await removeStagedTree(deps, carePaths(deps.config, task.id).name)
  await markTaskCleaned(deps.db, task.id)
}

export async function requireUid({ db }: Pick<Dependencies, 'db'>, { userId }: ProjectRow): Promise<number> {
  const uid = await findUid(db, userId)
  if (uid === undefined) throw taskProblem({ code: 'SITE_CHANGED_MEANWHILE' })
  return uid
}
