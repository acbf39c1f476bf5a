import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { containerName } from './container-spec.policy.ts'
import { listSlotsOf, type SlotRow } from './container-slots.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'engine' | 'instanceId'>

/** Containers of the live instances that exist, with their slots. */
export async function listInstanceContainers(
  { db, engine, instanceId }: Deps,
  { liveDeploymentId }: Pick<ProjectRow, 'liveDeploymentId'>
): Promise<{ slot: SlotRow; containerId: string }[]> {
  if (liveDeploymentId === null) return []
  const slots = await listSlotsOf(db, liveDeploymentId)
  const found = await engine.listContainers({ [label.instance]: instanceId, [label.deployment]: liveDeploymentId })
  const byName = new Map(found.map(({ id, name }) => [name, id]))
  return slots.flatMap((slot) => {
    const containerId = byName.get(containerName(instanceId, liveDeploymentId, slot.instance))
    return containerId === undefined ? [] : [{ slot, containerId }]
  })
}

/** Container ids of the live instances, the first one first. Asks the engine only if there are several. */
export async function listInstances(
  deps: Deps,
  { containerId, liveDeploymentId }: Pick<ProjectRow, 'containerId' | 'liveDeploymentId'>
): Promise<string[]> {
  if (containerId === null) return []
  const slots = liveDeploymentId === null ? [] : await listSlotsOf(deps.db, liveDeploymentId)
  if (slots.length < 2) return [containerId]
  return (await listInstanceContainers(deps, { liveDeploymentId })).map((instance) => instance.containerId)
}
