import type { WordpressCopy } from '@panel/contract/wordpress-care'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import {
  finishStagedDirectory,
  listStaged,
  listStagedFiles,
  makeStagingDirectory,
  removeStaged
} from '../../infra/staging/staging.ts'
import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { projectDirectory } from '../../process/paths.ts'
import { requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { readConfigText } from '../wordpress/site-config.service.ts'
import { openSiteDatabase, type SiteDatabase } from '../wordpress/site-database.service.ts'
import { isExcluded, isRegenerated } from '../wordpress/site-layout.policy.ts'
import { newStagingAccount, rewriteSite } from '../wordpress/site-staging.service.ts'
import { newSalts } from '../wordpress/wordpress-site.service.ts'
import { renderWpConfig } from '../wordpress/wp-config.render.ts'
import { carePaths, copiedDatabaseOf, replacedDatabaseOf } from './care-paths.service.ts'
import { hasTables, requireUid } from './site-copy.service.ts'
import { siteTree } from './site-files.service.ts'
import { taskProblem } from './task-problem.policy.ts'
import type { TaskRow } from './tasks.repository.ts'
import { join } from 'node:path'

/** The two sites of a copy. `isNew`: the target has no tables of WordPress yet. */
export interface CopiedSites {
  source: ProjectRow
  from: SiteDatabase
  to: SiteDatabase
  isNew: boolean
}

export async function findCopiedSites(
  deps: Dependencies,
  project: ProjectRow,
  { fromProjectId, database }: WordpressCopy
): Promise<CopiedSites> {
  const source = await findProject(deps.db, fromProjectId)
  if (source?.userId !== project.userId) throw taskProblem({ code: 'SOURCE_GONE' })
  const sites = {
    source,
    from: await openSiteDatabase(deps, source, await siteTree(deps, source)),
    to: await openSiteDatabase(deps, project, await siteTree(deps, project))
  }
  if (sites.from.id === sites.to.id) throw taskProblem({ code: 'SAME_DATABASE' })
  const isNew = !(await hasTables(deps, sites.to))
  if (database && !isNew && sites.from.prefix !== sites.to.prefix)
    throw taskProblem({ code: 'PREFIX_DIFFERS', values: { from: sites.from.prefix, to: sites.to.prefix } })
  return { ...sites, isNew }
}

/** Before anything is written: a copy of a large site would otherwise fail after a while. */
export async function requireRoom(deps: Dependencies, source: Pick<ProjectRow, 'id' | 'userId'>): Promise<void> {
  // The path is a link, which du follows only with a slash.
  const directory = `${projectDirectory(deps.config, source.id)}/`
  const bytes = (await deps.serverDisk.measure([directory])).get(directory) ?? 0
  const room = await requireFreeDisk(deps, await requireAccountSpace(deps, source.userId))
  if (bytes > room)
    throw new AppError(
      'QUOTA_EXCEEDED',
      `The files of the site take ${megabytes(bytes)} MB, and ${megabytes(room)} MB are free. Delete files, or ask for a higher limit.`
    )
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20)

/** Puts what will be exchanged beside the site, which does not notice it. */
export async function stageContent(
  deps: Dependencies,
  task: TaskRow,
  project: ProjectRow,
  sites: CopiedSites,
  signal: AbortSignal
): Promise<void> {
  if (task.copy?.files) await stageFiles(deps, task, project, sites, signal)
  if (task.copy?.database) await stageTables(deps, task, project, sites, signal)
}

async function stageFiles(
  deps: Dependencies,
  task: TaskRow,
  project: ProjectRow,
  { source, from, isNew }: CopiedSites,
  signal: AbortSignal
): Promise<void> {
  const uid = await requireUid(deps, project)
  const { directory, copied } = carePaths(deps.config, task.id)
  await makeStagingDirectory(directory)
  await deps.fileStore.capture(projectDirectory(deps.config, source.id), copied, {
    uid,
    maxBytes: await requireFreeDisk(deps, await requireAccountSpace(deps, project.userId)),
    maxFiles: Infinity,
    signal
  })
  for (const name of await listStaged(copied))
    if (isRegenerated(name) || name === '.maintenance') await removeStaged(join(copied, name))
  for (const path of await listStagedFiles(copied)) if (isExcluded(path)) await removeStaged(join(copied, path))
  const own = isNew ? '' : await readConfigText(await siteTree(deps, project))
  const content = own === '' ? renderWpConfig({ tablePrefix: from.prefix, salts: newSalts() }) : own
  await finishStagedDirectory(copied, { name: 'wp-config.php', content }, uid)
}

async function stageTables(
  deps: Dependencies,
  task: TaskRow,
  project: ProjectRow,
  { from, to, isNew }: CopiedSites,
  signal: AbortSignal
): Promise<void> {
  const { directory, copiedDump } = carePaths(deps.config, task.id)
  await makeStagingDirectory(directory)
  await removeStaged(copiedDump)
  const maxBytes = await requireFreeDisk(deps)
  await deps.databaseDump.dump('MYSQL', from.account, copiedDump, { maxBytes, signal, isWithoutPrograms: true })
  const staging = newStagingAccount(copiedDatabaseOf(task.id))
  await deps.databaseServers.MYSQL.drop(staging)
  await deps.databaseServers.MYSQL.provision(staging)
  await deps.databaseDump.load('MYSQL', staging, copiedDump, signal)
  await deps.siteDatabase.dropOthers(staging, from.prefix)
  const kept = isNew ? undefined : await addressesOf(deps, to)
  await rewriteSite(deps, project, staging, from.prefix, new Map(), signal, kept)
}

async function addressesOf({ siteDatabase }: Dependencies, { account, prefix }: SiteDatabase) {
  const options = await siteDatabase.readOptions(account, `${prefix}options`, ['home', 'siteurl'])
  const [home, siteurl] = [options.get('home'), options.get('siteurl')]
  return home === undefined || siteurl === undefined ? undefined : { home, siteurl }
}

/** Exchanges tables and files while the site is stopped. What they replace stays until the task ends. */
export async function exchangeContent(deps: Dependencies, task: TaskRow, project: ProjectRow, sites: CopiedSites) {
  if (task.copy?.database)
    await deps.siteDatabase.exchange({
      staged: copiedDatabaseOf(task.id),
      live: sites.to.account.database,
      previous: replacedDatabaseOf(task.id),
      prefixes: [sites.from.prefix]
    })
  if (!task.copy?.files) return
  const { copied, before } = carePaths(deps.config, task.id)
  await deps.hostHelper.replaceProject(await requireUid(deps, project), project.id, copied, before)
}
