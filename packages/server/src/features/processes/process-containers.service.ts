import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { ContainerSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { projectDirectory } from '../../process/paths.ts'
import { messageOf } from '../../text/message-of.ts'
import { bringImage } from '../builds/image-copies.service.ts'
import { containerPortOf, containerSpec } from '../containers/container-spec.policy.ts'
import { reservePlace } from '../containers/host-port.service.ts'
import { removeSlotContainer, stopGraceSeconds } from '../containers/retire.jobs.ts'
import { findSlot } from '../containers/slot-access.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { environmentOf, openEnvironment } from '../env-vars/environment.service.ts'
import { listOfProjects, projectStarting } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { mountVolumes } from '../volumes/volume-access.ts'
import { findUid } from '../users/account-access.ts'
import { commandOf, type FoundInstance, isSettled, planProcesses, type WantedInstance, wantedInstances } from './process-plan.policy.ts' // oxfmt-ignore
import { limitsOf } from './process-limits.policy.ts'
import { listLiveWorkers, type LiveWorker } from './processes.repository.ts'

// Per process. Between processes the engine is the guard: it refuses a second container of the same name.
const oneAtATime = createKeyedMutex<string>()

/**
 * Brings the containers of a project's workers in line with the database. Outdated ones get SIGTERM, then SIGKILL after a
 * grace period, and are removed before anything starts; a process whose container could not be removed starts none.
 * Resolves with whether all of it was done; what was not is left to reconcile.
 */
export async function syncProcesses(deps: Dependencies, projectId: string): Promise<boolean> {
  const project = await findProject(deps.db, projectId)
  return syncProcessesThere(project ? await onMachine(deps, project.nodeId) : deps, projectId)
}

/** On one machine: a project that lies elsewhere has no workers there. */
export const syncProcessesThere = (there: Dependencies, projectId: string): Promise<boolean> =>
  oneAtATime(projectId, () => sync(there, projectId))

async function sync(deps: Dependencies, projectId: string): Promise<boolean> {
  const found = await listInstances(deps, { [label.project]: projectId })
  // After the list, so that what the list has is not newer than what is wanted.
  const workers = await listRunnableWorkers(deps, projectId)
  const plan = planProcesses(workers.flatMap(wantedInstances), found)
  if (isSettled(plan)) return true
  const blocked = new Set<string>()
  await Promise.all(
    plan.remove.map((instance) =>
      removeInstance(deps, instance).catch((error: unknown) => {
        blocked.add(instance.process)
        deps.logger.warn({ worker: instance.key, error: messageOf(error) }, 'could not stop a worker')
      })
    )
  )
  const isFree = ({ process }: Pick<WantedInstance, 'process'>) => !blocked.has(process)
  const starts = await Promise.all([
    ...plan.start.filter(isFree).map((instance) => restart(deps, instance)),
    createAll(deps, projectId, { workers, instances: plan.create.filter(isFree) })
  ])
  return blocked.size === 0 && starts.every((isDone) => isDone)
}

/** Workers whose project may run now, on this machine. */
export async function listRunnableWorkers(deps: Dependencies, projectId?: string): Promise<LiveWorker[]> {
  const [workers, held] = await Promise.all([listLiveWorkers(deps.db, projectId), listOfProjects(deps, 'listHeld')])
  return workers.filter(({ nodeId, projectId }) => nodeId === deps.nodeId && !held.includes(projectId))
}

/** The containers of workers. */
export async function listInstances(
  { engine, instanceId }: Pick<Dependencies, 'engine' | 'instanceId'>,
  labels: Readonly<Record<string, string>> = {}
): Promise<(FoundInstance & { projectId: string })[]> {
  const found = await engine.listContainers({ [label.instance]: instanceId, ...labels })
  return found.filter(({ labels }) => labels[label.process] !== undefined).map(instanceOf)
}

const instanceOf = ({ id, status, labels }: ContainerSummary) => ({
  id,
  status,
  projectId: labels[label.project] ?? '',
  key: labels[label.deployment] ?? '',
  process: labels[label.process] ?? '',
  revision: labels[label.revision] ?? ''
})

async function removeInstance(deps: Dependencies, { id, key }: FoundInstance): Promise<void> {
  const slot = await findSlot(deps.db, key)
  // Of a worker that was started elsewhere after its machine was removed as lost, the slot is there.
  if (slot?.nodeId === deps.nodeId) return removeSlotContainer(deps, slot)
  await deps.engine.stopContainer(id, stopGraceSeconds)
  await deps.engine.removeContainer(id)
}

/** One that does not start again, because its network is gone for example, is replaced in the next round. */
async function restart(deps: Dependencies, instance: FoundInstance): Promise<boolean> {
  try {
    await deps.engine.startContainer(instance.id)
    return true
  } catch (error) {
    deps.logger.warn({ worker: instance.key, error: messageOf(error) }, 'could not start a worker again')
    await removeInstance(deps, instance)
    return false
  }
}

interface Creation {
  workers: readonly LiveWorker[]
  instances: readonly WantedInstance[]
}

async function createAll(deps: Dependencies, projectId: string, { workers, instances }: Creation): Promise<boolean> {
  const project = instances.length === 0 ? undefined : await findProject(deps.db, projectId)
  if (!project) return true
  await projectStarting(deps, project)
  const started = await Promise.all(
    instances.map(async (instance) => {
      const worker = workers.find(({ name }) => name === instance.process)!
      try {
        await create(deps, project, worker, instance)
        return true
      } catch (error) {
        deps.logger.warn({ worker: instance.key, error: messageOf(error) }, 'could not start a worker')
        return false
      }
    })
  )
  return started.every((isStarted) => isStarted)
}

async function create(
  deps: Dependencies,
  project: ProjectRow,
  worker: LiveWorker,
  { key, instance, revision }: WantedInstance
): Promise<void> {
  const release = await findDeployment(deps.db, project.id, worker.deploymentId)
  const uid = await findUid(deps.db, project.userId)
  if (release?.image == null || release.imageSpec === null || uid === undefined) return
  const env = environmentOf((await openEnvironment(deps, project.id)).variables, worker.name)
  // A panel that was killed between reservation and container left it.
  const reserved = await findSlot(deps.db, key)
  if (reserved) await removeSlotContainer(deps, reserved)
  const { slot, networkName, hostsFile } = await reservePlace(deps, uid, {
    nodeId: project.nodeId,
    projectId: project.id,
    deploymentId: key,
    kind: 'RUN',
    containerPort: containerPortOf(project, env, release.imageSpec)
  })
  const spec = containerSpec(deps.config, {
    instanceId: deps.instanceId,
    networkName,
    hostsFile,
    project,
    deploymentId: release.id,
    image: release.image,
    imageSpec: release.imageSpec,
    uid,
    filesDirectory: projectDirectory(deps.config, project.id),
    mounts: await mountVolumes(deps, project, { image: release.image, uid }),
    legacyVolumes: await deps.engine.listVolumes({ [label.instance]: deps.instanceId, [label.project]: project.id }),
    env,
    hostPort: slot.port,
    address: (await endpointOf(deps, slot)).address,
    worker: {
      key,
      process: worker.name,
      instance,
      revision,
      command: commandOf(worker)!,
      limits: limitsOf(deps.config, worker)
    }
  })
  await bringImage(deps, release.image)
  await deps.engine.startContainer(await deps.engine.createContainer(spec))
}
