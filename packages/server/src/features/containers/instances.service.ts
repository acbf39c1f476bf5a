import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { containerName } from './container-spec.policy.ts'
import { listSlotsOf } from './container-slots.repository.ts'

/** Container ids of the live instances, the first one first. Asks the engine only if there are several. */
export async function listInstances(
  { db, engine, instanceId }: Pick<Dependencies, 'db' | 'engine' | 'instanceId'>,
  { containerId, liveDeploymentId }: Pick<ProjectRow, 'containerId' | 'liveDeploymentId'>
): Promise<string[]> {
  if (containerId === null) return []
  const slots = liveDeploymentId === null ? [] : await listSlotsOf(db, liveDeploymentId)
  if (slots.length < 2) return [containerId]
  const found = await engine.listContainers({ [label.instance]: instanceId, [label.deployment]: liveDeploymentId! })
  const byName = new Map(found.map(({ id, name }) => [name, id]))
  return slots.flatMap(({ instance }) => byName.get(containerName(instanceId, liveDeploymentId!, instance)) ?? [])
}
