import { openStatuses } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { removeStagedTree } from '../files/staged-removal.service.ts'
import { previousDatabaseOf, stagingPaths } from './import-paths.service.ts'
import { type ImportRow, markCleanedUp } from './imports.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'databaseServers' | 'db' | 'fileStore' | 'now' | 'siteDatabase'>

// Lets an administrator restore the previous site if the imported one does not start.
const keepPreviousMs = 7 * 24 * 3600 * 1000

/** The previous site is kept for a week if the imported one was deployed and is not running. */
export async function canDropPrevious(deps: Pick<Deps, 'db' | 'now'>, row: ImportRow): Promise<boolean> {
  if (row.status === 'FAILED' || row.deploymentId === null) return true
  const deployment = await findDeployment(deps.db, row.projectId, row.deploymentId)
  if (deployment && openStatuses.some((status) => status === deployment.status)) return false
  return deployment?.status === 'RUNNING' || deps.now().getTime() - row.updatedAt.getTime() > keepPreviousMs
}

/** Removes the staging files and databases of a finished import. Idempotent. */
export async function cleanUp(deps: Deps, { id, stagingDatabase }: ImportRow): Promise<void> {
  if (stagingDatabase === null) return
  await removeStagedTree(deps, stagingPaths(deps.config, id).name)
  await deps.databaseServers.MYSQL.drop({ database: stagingDatabase, username: stagingDatabase })
  await deps.siteDatabase.dropPrevious(previousDatabaseOf(id))
  await markCleanedUp(deps.db, id)
}
