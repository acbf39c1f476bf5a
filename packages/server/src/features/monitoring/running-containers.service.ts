import type { Dependencies } from '../../dependencies.ts'
import { listInstances } from '../containers/instances.service.ts'
import { type ContainerRow, listContainers } from './monitoring.repository.ts'

/** Containers that should be running on this server, with all instances; of one account or all. */
export async function listRunning(
  deps: Pick<Dependencies, 'db' | 'engine' | 'instanceId' | 'nodeId'>,
  userId?: string
): Promise<ContainerRow[]> {
  const rows = await listContainers(deps.db, { nodeId: deps.nodeId, userId })
  const found = rows.map(async ({ instances, liveDeploymentId, ...row }) => {
    if (instances === 1) return [row]
    const ids = await listInstances(deps, { containerId: row.containerId, liveDeploymentId })
    return ids.map((containerId) => ({ ...row, containerId }))
  })
  return (await Promise.all(found)).flat()
}
