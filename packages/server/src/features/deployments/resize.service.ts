import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Effect } from '../feature.ts'
import { listAllInstances } from '../containers/instances.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { limitsOfSize } from '../projects/size.policy.ts'
import { redeployLiveImage } from './deployments.service.ts'

/**
 * Replaces the running containers by ones of the new size. Those of a stopped project get the new limits as they are, for
 * their next start. The caller holds the project lock.
 */
export async function resizeContainers(
  deps: Dependencies,
  trx: Transaction,
  project: ProjectRow
): Promise<readonly Effect[]> {
  await redeployLiveImage(deps, trx, project)
  if (project.status !== 'STOPPED') return []
  const limits = limitsOfSize(deps.config, project.size)
  return [
    async () => {
      for (const { there, containerId } of await listAllInstances(deps, project))
        await there.engine.changeLimits(containerId, limits)
    }
  ]
}
