import { AppError } from '../../errors.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { type DatabaseRow, findDatabase, listDatabasesOfProject } from '../databases/database-access.ts'
import { linkDatabase } from '../databases/linked-project.service.ts'
import { appendLog, type DeploymentRow, findLatestImage, lockDeployment } from '../deployments/deployment-access.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { findProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { previousDatabaseOf, stagingPaths } from './import-paths.service.ts'
import { findImport, type ImportRow, updateImport } from './imports.repository.ts'
import { refuseHandmadeVariables } from './site-database-choice.service.ts'
import { findUid } from '../users/account-access.ts'
import { readPlan } from './site-exchange.service.ts'
import { tellImport } from './import-notification.service.ts'

/**
 * Puts the staged site in the place of the project's. Every step may find its work done, by a process that is no more: the tables, the
 * variables, the files, and last the row with the deployment.
 */
export async function finishImport(deps: Dependencies, importId: string): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING' || row.step !== 'SWAPPING') return
  const project = await findProject(deps.db, row.projectId)
  if (!project) throw projectDeleted()
  const paths = stagingPaths(deps.config, row.id)
  const { prefixes } = await readPlan(paths)
  const database = await getSiteDatabase(deps, row)

  await holdSite(deps, project)
  await deps.siteDatabase.exchange({
    staged: row.stagingDatabase!,
    live: database.name,
    previous: previousDatabaseOf(row.id),
    prefixes
  })
  await useDatabase(deps, row, project)
  await syncProjectDirectories(deps, project.userId)
  const uid = (await findUid(deps.db, project.userId))!
  await deps.hostHelper.replaceProject(uid, project.id, paths.site, paths.previous)
  await deps.db.transaction((trx) => serve(deps, trx, row))
}

export const projectDeleted = () => new AppError('NOT_FOUND', { code: 'PROJECT_GONE' })

/** What the owner may have changed since the commit point, before anything of the site is. */
async function getSiteDatabase(deps: Dependencies, { databaseId, projectId, userId }: ImportRow): Promise<DatabaseRow> {
  const database = await findDatabase(deps.db, databaseId ?? '', userId)
  if (!database) throw new AppError('NOT_FOUND', { code: 'DATABASE_GONE_MEANWHILE' })
  if (database.projectId !== null && database.projectId !== projectId)
    throw new AppError('CONFLICT', { code: 'DATABASE_LINKED_MEANWHILE' })
  await refuseHandmadeVariables(deps, projectId)
  return database
}

/** The project has the variables of this database and of no other one. */
async function useDatabase(deps: Dependencies, { databaseId, userId }: ImportRow, project: ProjectRow): Promise<void> {
  for (const other of await listDatabasesOfProject(deps.db, project.id, 'MYSQL'))
    if (other.id !== databaseId && other.autoInjectEnv)
      await linkDatabase(deps, {}, userId, other.id, { autoInjectEnv: false })
  await linkDatabase(deps, {}, userId, databaseId!, { projectId: project.id, autoInjectEnv: true })
}

/** With tables that its files know nothing of, a WordPress offers to be installed. It is started again with the new ones at the latest. */
async function holdSite(deps: Dependencies, { id, containerId }: ProjectRow): Promise<void> {
  if (containerId === null) return
  await deps.engine.stopContainer(containerId, stopGraceSeconds).catch((error: unknown) =>
    // An engine that is away serves nothing either.
    deps.logger.warn({ project: id, error: messageOf(error) }, 'container not stopped for an import')
  )
}

async function serve(deps: Dependencies, trx: Transaction, row: ImportRow): Promise<void> {
  const project = await lockProject(trx, row.projectId)
  if (!project) throw projectDeleted()
  const deployment = await deploy(deps, trx, project)
  if (deployment && row.notes.length > 0)
    await appendLog(trx, deployment.id, `Imported a WordPress.\n${row.notes.join('\n')}\n`)
  await recordAudit(
    deps,
    trx,
    {},
    {
      action: 'wordpress.imported',
      actorId: row.userId,
      targetId: project.id,
      metadata: { name: project.name, import: row.id, replacedAddress: row.replacedAddress, notes: row.notes }
    }
  )
  const ended = { status: 'SUCCEEDED', step: 'DONE', deploymentId: deployment?.id ?? null, workerId: null } as const
  if (!(await updateImport(trx, row.id, ended, deps.now()))) throw new Error('the import was ended by somebody else')
  const sentences = [{ code: 'WORDPRESS_IMPORTED', values: { project: project.name } }] as const
  await tellImport(deps, trx, project, 'import-finished', sentences)
}

/** A container only learns when it is made where its files lie. One that its owner has stopped is not started. */
async function deploy(deps: Dependencies, trx: Transaction, project: ProjectRow): Promise<DeploymentRow | undefined> {
  if (project.status === 'STOPPED') return undefined
  const latest = await findLatestImage(trx, project.id)
  const kept = latest && (await lockDeployment(trx, latest.id))
  // An image from before projects had directories would serve the site that is in it.
  if (kept?.image == null || kept.imageSpec?.filesAt === undefined)
    return queueDeployment(deps, trx, project, { trigger: 'MANUAL', buildCmd: null })
  const { image, imageSpec, commitHash, commitMsg } = kept
  return queueDeployment(deps, trx, project, { trigger: 'DEPLOY', image, imageSpec, commitHash, commitMsg })
}
