import { openStatuses } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { makeStagingDirectory } from '../../infra/staging/staging.ts'
import { stagingRoot } from '../../process/paths.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { previousDatabaseOf, stagingPaths } from './import-paths.service.ts'
import { type ImportRow, markCleanedUp } from './imports.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'databaseServers' | 'db' | 'fileStore' | 'now' | 'siteDatabase'>

// For an administrator, where the imported site did not come up.
const keepPreviousMs = 7 * 24 * 3600 * 1000

/**
 * Whether what a site was before can go: at once when the import failed or nothing was deployed, and when the imported one serves. Where it
 * does not come up, files and tables of the previous site are kept for a week.
 */
export async function isPreviousObsolete(deps: Pick<Deps, 'db' | 'now'>, row: ImportRow): Promise<boolean> {
  if (row.status === 'FAILED' || row.deploymentId === null) return true
  const deployment = await findDeployment(deps.db, row.projectId, row.deploymentId)
  if (deployment && openStatuses.some((status) => status === deployment.status)) return false
  return deployment?.status === 'RUNNING' || deps.now().getTime() - row.updatedAt.getTime() > keepPreviousMs
}

/** Removes what an import that has ended has on the engine and on disk. Safe to repeat; the row says that it is done. */
export async function cleanUp(deps: Deps, { id, stagingDatabase }: ImportRow): Promise<void> {
  if (stagingDatabase === null) return
  await removeFiles(deps, stagingPaths(deps.config, id).name)
  await deps.databaseServers.MYSQL.drop({ database: stagingDatabase, username: stagingDatabase })
  await deps.siteDatabase.dropPrevious(previousDatabaseOf(id))
  await markCleanedUp(deps.db, id)
}

/** As a tree, since a container that ends may still write to what was the site's directory. */
async function removeFiles(deps: Pick<Deps, 'config' | 'fileStore'>, name: string): Promise<void> {
  const root = stagingRoot(deps.config)
  await makeStagingDirectory(root)
  await deps.fileStore
    .tree({ root, uid: process.geteuid?.() ?? 0, isProtected: () => false })
    .remove(name)
    .catch((error: unknown) => {
      if (!(error instanceof AdapterError) || error.kind !== 'file-not-found') throw error
    })
}
