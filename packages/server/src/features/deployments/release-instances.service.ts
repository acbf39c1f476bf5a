import { findNode } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ContainerSpec, Endpoint } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import { projectDirectory } from '../../process/paths.ts'
import { bringImage } from '../builds/image-copies.service.ts'
import { type ContainerFacts, containerSpec } from '../containers/container-spec.policy.ts'
import { reservePlace } from '../containers/host-port.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { isUnreachable, onMachine } from '../nodes/on-machine.service.ts'
import type { DeploymentLog } from './deployment-log.service.ts'
import type { Release } from './release.service.ts'

/** A container of a release. */
export interface Instance {
  /** The dependencies with the programs of its machine. */
  there: Dependencies
  /** Undefined if the machine is the panel's own. */
  machine: string | undefined
  facts: ContainerFacts
  endpoint: Endpoint
  spec: ContainerSpec
  containerId?: string
}

interface Reservation {
  /** The machine of each instance. */
  places: readonly string[]
  uid: number
  containerPort: number
  mounts: ContainerFacts['mounts']
}

/** `deps` are those of the first instance's machine. */
export async function reserveInstances(
  deps: Dependencies,
  release: Release,
  { places, uid, containerPort, mounts }: Reservation
): Promise<Instance[]> {
  const { deployment, project, image, imageSpec, env } = release
  const labels = { [label.instance]: deps.instanceId, [label.project]: project.id }
  const legacyVolumes = await deps.engine.listVolumes(labels)
  const instances: Instance[] = []
  for (const [instance, nodeId] of places.entries()) {
    const machine = nodeId === deps.instanceId ? undefined : ((await findNode(deps.db, nodeId))?.name ?? nodeId)
    await orLost(machine, async () => {
      const there = await onMachine(deps, nodeId)
      const { slot, networkName, hostsFile } = await reservePlace(there, uid, {
        nodeId,
        projectId: project.id,
        deploymentId: deployment.id,
        instance,
        containerPort,
        isReachable: project.reachable
      })
      const endpoint = await endpointOf(there, slot)
      const facts: ContainerFacts = {
        instanceId: deps.instanceId,
        networkName,
        hostsFile,
        project,
        deploymentId: deployment.id,
        image,
        imageSpec,
        uid,
        filesDirectory: projectDirectory(deps.config, project.id),
        mounts,
        legacyVolumes,
        env,
        hostPort: slot.port,
        address: endpoint.address,
        instance,
        isReachable: project.reachable
      }
      instances.push({ there, machine, facts, endpoint, spec: containerSpec(deps.config, facts) })
    })
  }
  return instances
}

/** To each machine that has an instance and not the image. */
export async function bringImages(instances: readonly Instance[], { image, log, signal }: Release): Promise<void> {
  const machines = new Map(instances.map((instance) => [instance.there.nodeId, instance]))
  for (const { there, machine } of machines.values()) {
    const copied = await orLost(machine, () => bringImage(there, image, signal))
    if (copied) log.line(`Copied the image to ${machine}: ${copied.sent} of ${copied.layers} layers`)
  }
}

export async function startInstance(instance: Instance, log: DeploymentLog): Promise<void> {
  const { there, machine, spec } = instance
  await orLost(machine, async () => {
    const containerId = await there.engine.createContainer(spec)
    instance.containerId = containerId
    const place = machine === undefined ? `127.0.0.1:${spec.hostPort}` : `${machine}, port ${spec.hostPort}`
    log.line(`Starting container ${containerId.slice(0, 12)} on ${place}`)
    await there.engine.startContainer(containerId)
  })
}

export async function requireReady(
  { there, machine, endpoint, containerId }: Instance,
  { project, log, signal }: Release
): Promise<void> {
  const problem = await orLost(machine, () =>
    waitUntilReady(there.engine, containerId!, endpoint, {
      health: project.health,
      hostname: siteHostname(there.config, project),
      timeoutSeconds: there.config.DEPLOY_START_TIMEOUT,
      signal
    })
  )
  if (problem === undefined) return
  const lastLines = await orLost(machine, () => there.engine.containerLogs(containerId!, 50))
  if (lastLines.trim() !== '') log.line(`--- last lines of the container ---\n${lastLines.trimEnd()}\n---`)
  throw new BuildError(problem)
}

/** A machine that is lost during a release fails it: the previous one serves on, and the next one goes elsewhere. */
async function orLost<T>(machine: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (machine === undefined || !isUnreachable(error)) throw error
    throw new BuildError({ code: 'MACHINE_LOST', values: { machine } }, { cause: error })
  }
}
