import type { RunProblem } from '@panel/contract/runs'
import type { Dependencies } from '../../dependencies.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { projectDirectory } from '../../process/paths.ts'
import { bringImage } from '../builds/image-copies.service.ts'
import { containerName, containerPortOf, containerSpec } from '../containers/container-spec.policy.ts'
import { reservePlace } from '../containers/host-port.service.ts'
import { removeSlotContainer } from '../containers/retire.jobs.ts'
import { findSlot } from '../containers/slot-access.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { environmentOf, openEnvironment, type OpenVariable } from '../env-vars/environment.service.ts'
import { projectStarting } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { deleteOutput } from './run-output.repository.ts'
import { mountVolumes } from '../volumes/volume-access.ts'
import { openRunOutput, type RunOutputWriter } from './run-output.service.ts'
import { type RunRow, updateRun } from './runs.repository.ts'

/** `there`: on the machine of its container. */
type Prepared = { containerId: string; output: RunOutputWriter; there: Dependencies } | { problem: RunProblem }
type Variables = readonly OpenVariable[]

/**
 * The started container of a run. Created and started once: a container that was started and is gone, or has ended, is
 * never replaced.
 */
export async function prepareContainer(deps: Dependencies, run: RunRow): Promise<Prepared> {
  const project = await findProject(deps.db, run.projectId)
  if (!project) return { problem: 'NOT_DEPLOYED' }
  // A run that has started stays where it is, also if the project moves.
  const slot = run.containerId === null ? undefined : await findSlot(deps.db, run.id)
  const there = await onMachine(deps, slot?.nodeId ?? project.nodeId)
  const existing = await there.engine.findContainer(containerName(deps.instanceId, run.id))
  if (!existing && run.containerId !== null) return { problem: 'CONTAINER_GONE' }
  if (!existing) await projectStarting(deps, project)
  const { variables, secrets } = await openEnvironment(deps, project.id)
  // A worker that takes over reads everything again: it cannot know what was stored.
  await deleteOutput(deps.db, run.id)
  const output = openRunOutput(deps, run.id, secrets)
  try {
    const containerId = existing?.id ?? (await createContainer(there, run, project, variables))
    if (containerId === undefined) return await refuse(output, 'NOT_DEPLOYED')
    if (run.containerId === null) await updateRun(deps.db, run.id, { containerId })
    if (existing === undefined || existing.status === 'created') await there.engine.startContainer(containerId)
    return { containerId, output, there }
  } catch (error) {
    if (!(error instanceof EngineError)) {
      await output.end()
      throw error
    }
    await output.write(`${error.message}\n`)
    return refuse(output, 'COULD_NOT_START')
  }
}

async function refuse(output: RunOutputWriter, problem: RunProblem): Promise<Prepared> {
  await output.end()
  return { problem }
}

/** Undefined if nothing is deployed. */
async function createContainer(
  deps: Dependencies,
  run: RunRow,
  project: ProjectRow,
  variables: Variables
): Promise<string | undefined> {
  const { liveDeploymentId } = project
  const live = liveDeploymentId === null ? undefined : await findDeployment(deps.db, project.id, liveDeploymentId)
  const uid = await findUid(deps.db, project.userId)
  if (live?.image == null || live.imageSpec === null || uid === undefined) return undefined
  const env = environmentOf(variables, 'jobs')
  // An attempt that ended between reservation and container, for example because the engine was unavailable.
  const reserved = await findSlot(deps.db, run.id)
  if (reserved) await removeSlotContainer(deps, reserved)
  const { slot, networkName, hostsFile } = await reservePlace(deps, uid, {
    nodeId: project.nodeId,
    projectId: project.id,
    deploymentId: run.id,
    kind: 'RUN',
    containerPort: containerPortOf(project, env, live.imageSpec)
  })
  const spec = containerSpec(deps.config, {
    instanceId: deps.instanceId,
    networkName,
    hostsFile,
    project,
    deploymentId: live.id,
    image: live.image,
    imageSpec: live.imageSpec,
    uid,
    filesDirectory: projectDirectory(deps.config, project.id),
    mounts: await mountVolumes(deps, project, { image: live.image, uid }),
    legacyVolumes: await deps.engine.listVolumes({ [label.instance]: deps.instanceId, [label.project]: project.id }),
    env,
    hostPort: slot.port,
    address: (await endpointOf(deps, slot)).address,
    run: { id: run.id, command: run.command }
  })
  await updateRun(deps.db, run.id, { deploymentId: live.id })
  await bringImage(deps, live.image)
  return deps.engine.createContainer(spec)
}
