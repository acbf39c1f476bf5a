import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { isUnreachable, type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { containerName } from './container-spec.policy.ts'
import { listSlotsOf, type SlotRow } from './container-slots.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'engine' | 'instanceId'>

/** Containers of the live instances that exist on the machine of `deps`, with their slots. */
async function listInstanceContainers(
  { engine, instanceId }: Pick<Deps, 'engine' | 'instanceId'>,
  deploymentId: string,
  slots: readonly SlotRow[]
): Promise<{ slot: SlotRow; containerId: string }[]> {
  const found = await engine.listContainers({ [label.instance]: instanceId, [label.deployment]: deploymentId })
  const byName = new Map(found.map(({ id, name }) => [name, id]))
  return slots.flatMap((slot) => {
    const containerId = byName.get(containerName(instanceId, deploymentId, slot.instance))
    return containerId === undefined ? [] : [{ slot, containerId }]
  })
}

/** Container ids of the live instances on the machine of `deps`, the first one first. Asks the engine only if there are several. */
export async function listInstances(
  deps: Deps,
  { containerId, liveDeploymentId }: Pick<ProjectRow, 'containerId' | 'liveDeploymentId'>
): Promise<string[]> {
  if (containerId === null) return []
  const slots = liveDeploymentId === null ? [] : await listSlotsOf(deps.db, liveDeploymentId)
  if (liveDeploymentId === null || slots.length < 2) return [containerId]
  return (await listInstanceContainers(deps, liveDeploymentId, slots)).map((instance) => instance.containerId)
}

export interface Instance<There> {
  /** The dependencies with the programs of its machine. */
  there: There
  /** Undefined for the only container of a project. */
  slot: SlotRow | undefined
  containerId: string
}

/**
 * The live instances of a project on all machines, the first one first. Without those on a machine that does not respond;
 * rejects if that is the machine of the first one.
 */
export async function listAllInstances<There extends Deps & OnMachine>(
  deps: There,
  project: Pick<ProjectRow, 'containerId' | 'liveDeploymentId' | 'nodeId'>
): Promise<Instance<There>[]> {
  const { containerId, liveDeploymentId, nodeId } = project
  if (containerId === null) return []
  const slots = liveDeploymentId === null ? [] : await listSlotsOf(deps.db, liveDeploymentId)
  if (liveDeploymentId === null || slots.length < 2)
    return [{ there: await onMachine(deps, nodeId), slot: undefined, containerId }]
  const listThere = async (machine: string) => {
    const there = await onMachine(deps, machine)
    return (await listInstanceContainers(there, liveDeploymentId, slots)).map((found) => ({ there, ...found }))
  }
  const machines = [...new Set(slots.map((slot) => slot.nodeId))]
  const found = machines.map((machine) =>
    listThere(machine).catch((error: unknown) => {
      if (machine === nodeId || !isUnreachable(error)) throw error
      return []
    })
  )
  return (await Promise.all(found)).flat().toSorted((a, b) => a.slot.instance - b.slot.instance)
}
