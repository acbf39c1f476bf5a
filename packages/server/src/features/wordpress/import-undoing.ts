import type { Dependencies } from '../../dependencies.ts'
import { findDatabase } from '../databases/database-access.ts'
import { findProject } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { formerDatabaseOf, importPlaces } from './import-places.ts'
import type { ImportRow } from './imports.repository.ts'
import { readPlan } from './site-exchange.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostHelper' | 'siteDatabase'>

/** Puts back the files and the tables of the former site, as far as they have been exchanged: the same two acts the other way round. */
export async function undoSwap(deps: Deps, row: ImportRow): Promise<void> {
  const places = importPlaces(deps.config, row.id)
  const uid = (await findUid(deps.db, row.userId))!
  const project = await findProject(deps.db, row.projectId)
  if (project) await deps.hostHelper.replaceProject(uid, project.id, places.former, places.site)
  // It may have been put in place after the project's files were removed.
  else await deps.hostHelper.removeProject(uid, row.projectId)
  const database = await findDatabase(deps.db, row.databaseId ?? '', row.userId)
  if (!database) return
  const { prefixes } = await readPlan(places)
  await deps.siteDatabase.exchange({
    staged: formerDatabaseOf(row.id),
    live: database.name,
    former: row.stagingDatabase!,
    prefixes
  })
}
