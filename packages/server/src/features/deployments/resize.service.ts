import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Effect } from '../feature.ts'
import { listInstances } from '../containers/instances.service.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
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
      const there = await onMachine(deps, project.nodeId)
      for (const id of await listInstances(there, project)) await there.engine.changeLimits(id, limits)
    }
  ]
}
