import { setTimeout as sleep } from 'node:timers/promises'
import { Id } from '@panel/contract/common'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { listInstances } from '../containers/instances.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { listSlotsOf } from '../containers/slot-access.ts'
import { applyProjectRoutes } from '../domains/routing.service.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { listOfProjects } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { findProject, getOwnProject, lockProject, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { markAsleep } from './sleep.repository.ts'

/**
 * A site wakes after it has fallen asleep, never meanwhile. Per process: the proxy asks one process only, and if another
 * stops a site that just woke, reconcile starts it.
 */
export const oneAtATime = createKeyedMutex<string>()

const drainPollMs = 250
const drainMs = 5_000

/** Resolves with false if the site is in use, or may not sleep. */
export const putToSleep = (deps: Dependencies, projectId: string): Promise<boolean> =>
  oneAtATime(projectId, async () => {
    const project = await findProject(deps.db, projectId)
    if (!project || (await listOfProjects(deps, 'listHeld')).includes(projectId)) return false
    const endpoints = await endpointsOf(deps, project)
    // Requests are counted when they end, so this finds WebSockets and downloads in progress.
    if (endpoints.length === 0 || (await isInUse(deps, endpoints))) return false
    if (!(await deps.db.transaction((trx) => markAsleep(trx, projectId, deps.now())))) return false
    await applyProjectRoutes(deps, projectId)
    if (!(await isDrained(deps, endpoints))) {
      await wakeRow(deps, projectId)
      await applyProjectRoutes(deps, projectId)
      return false
    }
    const there = await onMachine(deps, project.nodeId)
    const ids = await listInstances(there, project)
    await Promise.all(ids.map((id) => there.engine.stopContainer(id, stopGraceSeconds)))
    return true
  })

/** Undefined if the site must not run. Otherwise it counts as awake from here on, and reconcile starts it if we do not. */
export const wakeRow = (deps: Pick<Dependencies, 'db' | 'now'>, projectId: string): Promise<ProjectRow | undefined> =>
  deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (project?.status !== 'ACTIVE' || project.containerId === null) return undefined
    if (project.asleepSince === null) return project
    const now = deps.now()
    // Not "exited", which would be reported; reconcile records the outcome.
    return updateProject(trx, projectId, { asleepSince: null, wokenAt: now, containerStatus: 'running' }, now)
  })

/** Of all live instances, the first one first. Empty for a site on the former shared network or another machine: it cannot sleep. */
export async function endpointsOf(
  deps: Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'network'>,
  { liveDeploymentId }: Pick<ProjectRow, 'liveDeploymentId'>
): Promise<Endpoint[]> {
  const slots = liveDeploymentId === null ? [] : await listSlotsOf(deps.db, liveDeploymentId)
  if (slots.some(({ address, nodeId }) => address === null || nodeId !== deps.instanceId)) return []
  return Promise.all(slots.map((slot) => endpointOf(deps, slot)))
}

async function isInUse({ proxy }: Pick<Dependencies, 'proxy'>, endpoints: readonly Endpoint[]): Promise<boolean> {
  const counts = await Promise.all(endpoints.map(({ address, port }) => proxy.connectionCount(address, port)))
  return counts.some((count) => count > 0)
}

/** A request that was routed just before may not have opened its connection yet. */
async function isDrained(deps: Pick<Dependencies, 'proxy'>, endpoints: readonly Endpoint[]): Promise<boolean> {
  const deadline = performance.now() + drainMs
  do await sleep(drainPollMs)
  while ((await isInUse(deps, endpoints)) && performance.now() < deadline)
  return !(await isInUse(deps, endpoints))
}

export const sleepNow = workerVerb('sleep.now', [Origin, Id, Id], sleepNowHere)

async function sleepNowHere(deps: Dependencies, origin: AuditOrigin, userId: string, projectId: string) {
  const project = await getOwnProject(deps.db, projectId, userId)
  if (project.containerId === null)
    throw new AppError('CONTAINER_MISSING', 'Nothing is deployed yet. Build or deploy first.')
  if (project.status === 'STOPPED') throw new AppError('CONFLICT', 'The project is stopped.')
  if (project.sleepAfterMinutes === null)
    throw new AppError('CONFLICT', 'Sleep is off for this project. Set sleepAfterMinutes first.')
  if (project.nodeId !== deps.instanceId)
    throw new AppError('CONFLICT', 'Only sites on the machine of the panel can sleep.')
  const message = 'Asleep until the next request'
  if (project.asleepSince !== null) return { message, containerStatus: project.containerStatus }
  if (!(await putToSleep(deps, projectId)))
    throw new AppError(
      'CONFLICT',
      'The site is in use: it has open connections, a terminal or a deployment in progress.'
    )
  await deps.db.transaction((trx) =>
    recordAudit(deps, trx, origin, { action: 'container.put_to_sleep', actorId: userId, targetId: projectId })
  )
  return { message, containerStatus: 'exited' }
}
