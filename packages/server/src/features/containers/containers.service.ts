import { Origin } from '../audit/origin.ts'
import { Id } from '@panel/contract/common'
import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import { workerVerb } from '../../worker/worker-verb.ts'
import { ContainerAction, LogQuery } from '@panel/contract/deployments'
import type { Dependencies } from '../../dependencies.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { AppError } from '../../errors.ts'
import { EngineError } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { applyProjectRoutes } from '../domains/routing.service.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { isUnreachable, type OnMachine, onMachine } from '../nodes/on-machine.service.ts'
import { getActor } from '../users/account-access.ts'
import { findSlot, listSlotsOf, retireSlots } from './container-slots.repository.ts'
import { listAllInstances } from './instances.service.ts'
import { findLogContainer, type LogSource } from './log-source.service.ts'
import { projectChanged, runEffects } from '../hooks.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { waitUntilReady } from './readiness.service.ts'
import { removeSlotContainers, stopGraceSeconds } from './retire.jobs.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'network' | 'now' | 'proxy'> & OnMachine

type Engine = Deps['engine']

/** An instance on another machine that does not respond is left to reconcile. */
const each = async (deps: Deps, project: ProjectRow, work: (engine: Engine, id: string) => Promise<void>) => {
  const attempts = (await listAllInstances(deps, project)).map(({ there, containerId }) =>
    work(there.engine, containerId).catch((error: unknown) => {
      if (there.nodeId === project.nodeId || !isUnreachable(error)) throw error
    })
  )
  await Promise.all(attempts)
}

type Outcome = { message: string; containerStatus: string | null }

/** On the machine of the project, after the requested state was committed; reconcile completes an action that is interrupted. */
const actions: Record<ContainerAction, (deps: Deps, project: ProjectRow, containerId: string) => Promise<Outcome>> = {
  async start(deps, project, containerId) {
    await each(deps, project, (engine, id) => engine.startContainer(id))
    return {
      message: await outcomeOfStart(deps, project, containerId),
      containerStatus: await refreshStatus(deps, project, containerId)
    }
  },
  async stop(deps, project, containerId) {
    // Switch to the notice page first, so that visitors do not hit a closed connection.
    await applyProjectRoutes(deps, project.id)
    await each(deps, project, (engine, id) => engine.stopContainer(id, stopGraceSeconds))
    return { message: 'Stopped', containerStatus: await refreshStatus(deps, project, containerId) }
  },
  async restart(deps, project, containerId) {
    await deps.engine.restartContainer(containerId, stopGraceSeconds)
    return {
      message: await outcomeOfStart(deps, project, containerId),
      containerStatus: await refreshStatus(deps, project, containerId)
    }
  },
  async remove(deps, project) {
    await applyProjectRoutes(deps, project.id)
    const slots = project.liveDeploymentId === null ? [] : await listSlotsOf(deps.db, project.liveDeploymentId)
    await removeSlotContainers(deps, slots).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error
    })
    await removeVolumes(deps, project.id)
    return { message: 'Container removed. Files in /data and volumes were kept.', containerStatus: null }
  }
}

const noContainer = { containerId: null, containerStatus: null, internalPort: null } as const

// Per process: if two actions collide, the row has the last requested state and reconcile applies it.
const containerActionLimit = createConcurrencyLimit({ total: 32, perKey: 1, what: 'actions for this container' })

const auditActions = {
  start: 'container.started',
  stop: 'container.stopped',
  restart: 'container.restarted',
  remove: 'container.removed'
} as const satisfies Record<ContainerAction, string>

export const operateContainer = workerVerb(
  'containers.operate',
  [Origin, Id, Id, ContainerAction],
  operateContainerHere
)

async function operateContainerHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  action: ContainerAction
): Promise<Outcome> {
  await getOwnProject(deps.db, projectId, userId)
  return containerActionLimit.run(projectId, () => operate(deps, origin, userId, projectId, action))
}

async function operate(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  action: ContainerAction
): Promise<Outcome> {
  const { before, replaced } = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    await getActor(trx, userId)
    // It was stopped when its machine was drained or away.
    const isWithoutContainer = project.containerId === null && project.liveDeploymentId !== null && action === 'start'
    if (project.containerId === null && !isWithoutContainer)
      throw new AppError('CONTAINER_MISSING', 'Nothing is deployed yet. Build or deploy first.')
    const status = action === 'start' || action === 'restart' ? 'ACTIVE' : 'STOPPED'
    const after = await updateProject(
      trx,
      projectId,
      {
        status,
        stopReason: null,
        asleepSince: null,
        wokenAt: deps.now(),
        ...(action === 'remove' ? { ...noContainer, liveDeploymentId: null } : {})
      },
      deps.now()
    )
    if (action === 'remove') await retireSlots(trx, projectId, deps.now())
    await recordAudit(deps, trx, origin, { action: auditActions[action], actorId: userId, targetId: projectId })
    // New instances take over one after the other from those that run.
    const isRolling = isWithoutContainer || (action === 'restart' && project.instances > 1)
    return { before: project, replaced: isRolling ? await projectChanged(deps, trx, 'resized', after!) : undefined }
  })
  if (replaced) {
    await runEffects(deps, replaced)
    return {
      message: 'New containers are being started',
      containerStatus: before.containerStatus
    }
  }
  return actions[action](await onMachine(deps, before.nodeId), before, before.containerId!).catch(explainRefusal)
}

export const containerStatus = workerVerb('containers.status', [Id, Id], containerStatusHere)

async function containerStatusHere(deps: Deps, userId: string, projectId: string) {
  const project = await getOwnProject(deps.db, projectId, userId)
  if (project.containerId === null) return { containerStatus: null, containerId: null }
  const there = await onMachine(deps, project.nodeId)
  return { containerStatus: await refreshStatus(there, project, project.containerId), containerId: project.containerId }
}

export const containerLogs = workerVerb('containers.logs', [Id, Id, LogQuery], containerLogsHere)

async function containerLogsHere(
  deps: Deps,
  userId: string,
  projectId: string,
  { tail, since, ...source }: LogQuery
): Promise<string> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const containers = await listLogContainers(deps, project, { projectId, ...source }).catch(explainRefusal)
  if (containers.length === 0)
    throw new AppError(
      'CONTAINER_MISSING',
      source.process === undefined
        ? 'Nothing is deployed yet. Build or deploy first.'
        : `Instance ${source.instance} of ${source.process} has no container.`
    )
  const from = since === undefined ? undefined : new Date(since)
  const logs = await Promise.all(
    containers.map(({ engine, id }) => engine.containerLogs(id, tail, from).catch(explainRefusal))
  )
  return logs.length === 1
    ? logs[0]!
    : logs.map((log, at) => `--- instance ${containers[at]!.number} ---\n${log}`).join('')
}

/** Of the site those of all instances that respond; of a worker that of one instance. */
async function listLogContainers(
  deps: Deps,
  project: ProjectRow,
  source: LogSource
): Promise<{ engine: Engine; id: string; number: number }[]> {
  if (source.process === undefined)
    return (await listAllInstances(deps, project)).map(({ there, slot, containerId }) => ({
      engine: there.engine,
      id: containerId,
      number: (slot?.instance ?? 0) + 1
    }))
  const there = await onMachine(deps, project.nodeId)
  const id = await findLogContainer(there, source)
  return id === null ? [] : [{ engine: there.engine, id, number: 1 }]
}

/** The container was removed by hand; reconcile creates a new one. Other engine errors are shown to the owner. */
function explainRefusal(error: unknown): never {
  if (error instanceof EngineError && error.status === 404)
    throw new AppError('CONTAINER_MISSING', 'The container no longer exists. Redeploy the project.', { cause: error })
  if (error instanceof EngineError)
    throw new AppError('CONFLICT', `The container engine rejected the request: ${error.message}`, { cause: error })
  throw error
}

export async function removeVolumes(deps: Pick<Deps, 'engine' | 'instanceId'>, projectId: string): Promise<void> {
  const volumes = await deps.engine.listVolumes({ [label.instance]: deps.instanceId, [label.project]: projectId })
  for (const volume of volumes) await deps.engine.removeVolume(volume)
}

async function outcomeOfStart(deps: Deps, project: ProjectRow, containerId: string): Promise<string> {
  const slot = project.liveDeploymentId === null ? undefined : await findSlot(deps.db, project.liveDeploymentId)
  if (!slot) return 'Started'
  const problem = await waitUntilReady(deps.engine, containerId, await endpointOf(deps, slot), {
    health: project.health,
    hostname: siteHostname(deps.config, project),
    timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
    signal: AbortSignal.timeout(120_000)
  })
  await applyProjectRoutes(deps, project.id)
  return problem === undefined ? 'Started' : `Started. ${sentenceText(failureTexts, [problem])}`
}

async function refreshStatus(deps: Deps, project: ProjectRow, containerId: string): Promise<string> {
  const status = (await deps.engine.findContainer(containerId))?.status ?? 'missing'
  await deps.db.transaction(async (trx) => {
    const current = await lockProject(trx, project.id)
    // A deployment may have replaced the container in the meantime.
    if (current?.containerId === containerId && current.containerStatus !== status)
      await updateProject(trx, project.id, { containerStatus: status }, deps.now())
  })
  return status
}
