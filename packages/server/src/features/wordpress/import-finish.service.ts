import { AppError } from '../../errors.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { type DatabaseRow, findDatabase, listDatabasesOfProject } from '../databases/database-access.ts'
import { linkDatabase } from '../databases/linked-project.service.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { redeployFiles } from '../deployments/deployments.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import { findProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { previousDatabaseOf, stagingPaths } from './import-paths.service.ts'
import { findImport, type ImportRow, updateImport } from './imports.repository.ts'
import { refuseManualVariables } from './site-database-choice.service.ts'
import { findUid } from '../users/account-access.ts'
import { readPlan } from './site-exchange.service.ts'
import { notifyImport } from './import-notification.service.ts'

/** Swaps the staged site with the live one. Each step is idempotent: another process may have started the work. */
export async function finishImport(deps: Dependencies, importId: string): Promise<void> {
  const row = await findImport(deps.db, importId)
  if (row?.status !== 'RUNNING' || row.step !== 'SWAPPING') return
  const project = await findProject(deps.db, row.projectId)
  if (!project) throw projectDeleted()
  const paths = stagingPaths(deps.config, row.id)
  const { prefixes } = await readPlan(paths)
  const database = await getSiteDatabase(deps, row)

  await stopSite(deps, project)
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

/** Re-checks what the owner may have changed since the commit point, before the live site is touched. */
async function getSiteDatabase(deps: Dependencies, { databaseId, projectId, userId }: ImportRow): Promise<DatabaseRow> {
  const database = await findDatabase(deps.db, databaseId ?? '', userId)
  if (!database) throw new AppError('NOT_FOUND', { code: 'DATABASE_GONE_MEANWHILE' })
  if (database.projectId !== null && database.projectId !== projectId)
    throw new AppError('CONFLICT', { code: 'DATABASE_LINKED_MEANWHILE' })
  await refuseManualVariables(deps, projectId)
  return database
}

async function useDatabase(deps: Dependencies, { databaseId, userId }: ImportRow, project: ProjectRow): Promise<void> {
  for (const other of await listDatabasesOfProject(deps.db, project.id, 'MYSQL'))
    if (other.id !== databaseId && other.autoInjectEnv)
      await linkDatabase(deps, {}, userId, other.id, { autoInjectEnv: false })
  await linkDatabase(deps, {}, userId, databaseId!, { projectId: project.id, autoInjectEnv: true })
}

/** A WordPress whose tables and files do not match offers its installer to visitors. */
async function stopSite(deps: Dependencies, { id, containerId, nodeId }: ProjectRow): Promise<void> {
  if (containerId === null) return
  const engine = await engineOn(deps, nodeId)
  await engine
    .stopContainer(containerId, stopGraceSeconds)
    .catch((error: unknown) =>
      deps.logger.warn({ project: id, error: messageOf(error) }, 'Could not stop container for WordPress import')
    )
}

async function serve(deps: Dependencies, trx: Transaction, row: ImportRow): Promise<void> {
  const project = await lockProject(trx, row.projectId)
  if (!project) throw projectDeleted()
  const deployment = await redeployFiles(deps, trx, project)
  if (deployment && row.notes.length > 0)
    await appendLog(trx, deployment.id, `Imported WordPress site.\n${row.notes.join('\n')}\n`)
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
  if (!(await updateImport(trx, row.id, ended, deps.now()))) throw new Error('The import was ended by another process')
  const sentences = [{ code: 'WORDPRESS_IMPORTED', values: { project: project.name } }] as const
  await notifyImport(deps, trx, project, 'import-finished', sentences)
}
