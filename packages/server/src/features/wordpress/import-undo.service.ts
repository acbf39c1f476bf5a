import type { Dependencies } from '../../dependencies.ts'
import { findDatabase } from '../databases/database-access.ts'
import { findProject } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { previousDatabaseOf, stagingPaths } from './import-paths.service.ts'
import type { ImportRow } from './imports.repository.ts'
import { readPlan } from './site-exchange.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostHelper' | 'siteDatabase'>

export async function undoSwap(deps: Deps, row: ImportRow): Promise<void> {
  const paths = stagingPaths(deps.config, row.id)
  const uid = (await findUid(deps.db, row.userId))!
  const project = await findProject(deps.db, row.projectId)
  if (project) await deps.hostHelper.replaceProject(uid, project.id, paths.previous, paths.site)
  // The site may have gone live after the project's files were removed.
  else await deps.hostHelper.removeProject(uid, row.projectId)
  const database = await findDatabase(deps.db, row.databaseId ?? '', row.userId)
  if (!database) return
  const { prefixes } = await readPlan(paths)
  await deps.siteDatabase.exchange({
    staged: previousDatabaseOf(row.id),
    live: database.name,
    previous: row.stagingDatabase!,
    prefixes
  })
}
