import type { MovedSite } from '@panel/contract/machines'
import { listMachineAddresses } from '../../db/nodes.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { listSlotsOf, retireSlots } from '../containers/slot-access.ts'
import { catchUpEdges } from '../nodes/edges.service.ts'
import { listNodes, listSiteFacts, listSpreadFacts } from '../nodes/node-access.ts'
import { requireMachine } from '../nodes/nodes.service.ts'
import { decidePlaces, placeable, readSituation, refused, statusOf } from '../nodes/placement.service.ts'
import { isReplaced, isUneven, leaves } from '../nodes/spread.policy.ts'
import { findProject, lockProject, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { imageOf, queueDeployment, redeployLiveImage } from './deployments.service.ts'
import { findDeployment, listOpenDeployments } from './deployments.repository.ts'
import { standbyOf } from './standby.service.ts'

const tryAgainAfterSeconds = 120
/** By what is live: after a move that succeeded, the project can leave its new machine at once. */
const leaveKey = (projectId: string, liveDeploymentId: string | null) => `leave:${projectId}:${liveDeploymentId ?? ''}`

/** A move that ended with the panel is tried again at once. */
export async function leaveAtOnce(
  { db, sessions }: Pick<Dependencies, 'db' | 'sessions'>,
  projectIds: readonly string[]
): Promise<void> {
  const found = await Promise.all(projectIds.map((id) => findProject(db, id)))
  await sessions.delete(
    ...found.flatMap((project) => (project ? [leaveKey(project.id, project.liveDeploymentId)] : []))
  )
}

/**
 * Starts what can be elsewhere on another machine: projects on machines that do not respond or are being drained. Their containers
 * there end after the new ones have taken over; those of one that does not respond, once it does. Idempotent.
 */
export async function leaveMachines(deps: Dependencies): Promise<'again' | 'done'> {
  const left = (await listNodes(deps.db)).filter((row) => row.isDraining || statusOf(deps, row) === 'AWAY')
  if (left.length === 0) return 'done'
  const { nodes, usage } = await readSituation(deps, deps.db)
  const deploying = new Set((await listOpenDeployments(deps.db)).map(({ projectId }) => projectId))
  let isAnyLeft = false
  await endRequests(
    deps,
    left.filter((row) => statusOf(deps, row) === 'AWAY')
  )
  for (const { id, isDraining } of left)
    for (const { projectId, liveDeploymentId, facts } of await listSiteFacts(deps.db, id)) {
      const isLeaving = isDraining ? leaves : isReplaced
      if (!isLeaving(placeable(facts), id, nodes, usage)) continue
      isAnyLeft = true
      if (deploying.has(projectId)) continue
      // Only the first process that sees it, and later again if the deployment fails.
      if (!(await deps.sessions.add(leaveKey(projectId, liveDeploymentId), '1', tryAgainAfterSeconds))) continue
      await leave(deps, id, projectId).catch((error: unknown) =>
        deps.logger.warn({ projectId, machine: id, error: messageOf(error) }, 'a project could not leave its machine')
      )
    }
  return isAnyLeft ? 'again' : 'done'
}

/** To machines that do not respond, whose instances would keep them until a time limit. */
async function endRequests(deps: Dependencies, away: readonly { id: string }[]): Promise<void> {
  if (away.length === 0) return
  const addresses = await listMachineAddresses(deps.db)
  const proxies = [deps.proxy, ...(await catchUpEdges(deps))]
  for (const { id } of away) {
    const address = addresses.get(id)
    if (address === undefined) continue
    for (const proxy of proxies)
      await proxy
        .endRequests(address)
        .catch((error: unknown) =>
          deps.logger.warn({ machine: id, error: messageOf(error) }, 'could not end the requests to a machine')
        )
  }
}

async function leave(deps: Dependencies, from: string, projectId: string): Promise<void> {
  const standby = await standbyOf(deps, projectId)
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project) return
    const slots = project.liveDeploymentId === null ? [] : await listSlotsOf(trx, project.liveDeploymentId)
    if (project.nodeId !== from && !slots.some(({ nodeId }) => nodeId === from)) return
    if (project.liveDeploymentId === null || project.status === 'STOPPED') return leaveStopped(deps, trx, project)
    const isPossible = standby !== undefined && 'places' in (await decidePlaces(deps, trx, projectId, standby))
    await redeployLiveImage(deps, trx, project, isPossible ? { targetNodeId: standby } : {})
    deps.logger.info({ projectId, machine: from }, 'a project leaves its machine')
  })
}

/** It does not run, so that its next start makes the new containers. */
async function leaveStopped(deps: Dependencies, trx: Transaction, { id }: ProjectRow): Promise<void> {
  const decision = await decidePlaces(deps, trx, id)
  if (!('places' in decision)) return
  const [nodeId] = decision.places
  await updateProject(trx, id, { nodeId, containerId: null, containerStatus: null, internalPort: null }, deps.now())
  for (const { deploymentId } of await retireSlots(trx, id, deps.now()))
    await deps.jobs.enqueue(trx, 'containers.retire', { deploymentId }, { key: deploymentId })
}

const spreadAgainAfterSeconds = 3600

/**
 * Spreads the instances of running projects again after a machine was added, or takes containers again: deploys what is live once
 * more. A deployment that changes nothing is not repeated within the hour. Idempotent.
 */
export async function spreadInstances(deps: Dependencies): Promise<void> {
  const spread = await listSpreadFacts(deps.db)
  if (spread.length === 0) return
  const { nodes } = await readSituation(deps, deps.db)
  for (const { projectId, liveDeploymentId, facts } of spread) {
    if (!isUneven(placeable(facts), nodes)) continue
    if (!(await deps.sessions.add(`spread:${liveDeploymentId}`, '1', spreadAgainAfterSeconds))) continue
    await deps.db.transaction(async (trx) => {
      const project = await lockProject(trx, projectId)
      if (project?.liveDeploymentId !== liveDeploymentId) return
      await redeployLiveImage(deps, trx, project)
      deps.logger.info({ projectId }, 'the instances of a project are spread over the machines')
    })
  }
}

/** Deploys what is live once more, with the first instance on that machine. The project stays there while it can. */
export async function moveSite(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { nodeId, projectId }: { nodeId: string; projectId: string }
): Promise<MovedSite> {
  return deps.db.transaction(async (trx) => {
    const deploymentId = await queueMove(deps, trx, { nodeId, projectId })
    await recordAudit(deps, trx, origin, { action: 'machine.site_moved', actorId: userId, targetId: nodeId, metadata: { project: projectId } }) // oxfmt-ignore
    return { deploymentId }
  })
}

/** Resolves with the deployment. Rejects with an AppError if the project cannot go there. */
export async function queueMove(
  deps: Dependencies,
  trx: Transaction,
  { nodeId, projectId }: { nodeId: string; projectId: string }
): Promise<string> {
  const project = await lockProject(trx, projectId)
  if (!project) throw new AppError('NOT_FOUND', 'Project not found')
  await requireMachine(trx, nodeId)
  if (project.nodeId === nodeId) throw new AppError('CONFLICT', 'The project is on this machine already.')
  const decision = await decidePlaces(deps, trx, projectId, nodeId)
  if ('refusal' in decision) throw refused(decision)
  const live = project.liveDeploymentId === null ? undefined : await findDeployment(trx, projectId, project.liveDeploymentId) // oxfmt-ignore
  if (!live || project.status === 'STOPPED')
    throw new AppError('CONFLICT', 'The project does not run. Start or deploy it first.')
  const { id } = await queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(live, true), targetNodeId: nodeId }) // oxfmt-ignore
  return id
}
