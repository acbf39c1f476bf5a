import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { listInstances } from '../containers/instances.service.ts'
import { type ContainerRow, listContainers, listRunKeys } from './monitoring.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'engine' | 'instanceId' | 'nodeId'>

/** Containers that should be running on the machine of `deps`, with all instances there; of one account or all. */
export async function listRunning(deps: Deps, userId?: string): Promise<ContainerRow[]> {
  const rows = await listContainers(deps.db, { nodeId: deps.nodeId, userId })
  const found = rows.map(async ({ instances, liveDeploymentId, nodeId, ...row }) => {
    if (instances === 1 && nodeId === deps.nodeId) return [row]
    const ids = await listInstances(deps, { containerId: row.containerId, liveDeploymentId })
    return ids.map((containerId) => ({ ...row, containerId }))
  })
  return (await Promise.all(found)).flat()
}

export interface WorkerContainer {
  containerId: string
  projectId: string
  process: string
}

/** Running containers of workers, with all instances. One call of the engine; none without workers or runs. */
export async function listRunningWorkers(deps: Deps): Promise<WorkerContainer[]> {
  const keys = await listRunKeys(deps.db, deps.nodeId)
  if (keys.size === 0) return []
  const found = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  return found.flatMap(({ id, status, labels }) => {
    const { [label.process]: process, [label.project]: projectId, [label.deployment]: key = '' } = labels
    const isWorker = process !== undefined && projectId !== undefined && status === 'running' && keys.has(key)
    return isWorker ? [{ containerId: id, projectId, process }] : []
  })
}
