import type { MovedSite } from '@panel/contract/machines'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { retireSlots } from '../containers/slot-access.ts'
import { listSiteFacts, listNodes } from '../nodes/node-access.ts'
import { requireMachine } from '../nodes/nodes.service.ts'
import { leaves } from '../nodes/placement.policy.ts'
import { decidePlacement, placeable, readSituation, refused, statusOf } from '../nodes/placement.service.ts'
import { lockProject, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { imageOf, queueDeployment, redeployLiveImage } from './deployments.service.ts'
import { findDeployment, listOpenDeployments } from './deployments.repository.ts'

const tryAgainAfterSeconds = 120
const leaveKey = (projectId: string) => `leave:${projectId}`

/** A move that ended with the panel is tried again at once. */
export const leaveAtOnce = (
  { sessions }: Pick<Dependencies, 'sessions'>,
  projectIds: readonly string[]
): Promise<void> => sessions.delete(...projectIds.map(leaveKey))

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
  for (const { id } of left)
    for (const { projectId, facts } of await listSiteFacts(deps.db, id)) {
      if (!leaves(placeable(facts), id, nodes, usage)) continue
      isAnyLeft = true
      if (deploying.has(projectId)) continue
      // Only the first process that sees it, and later again if the deployment fails.
      if (!(await deps.sessions.add(leaveKey(projectId), '1', tryAgainAfterSeconds))) continue
      await leave(deps, id, projectId).catch((error: unknown) =>
        deps.logger.warn({ projectId, machine: id, error: messageOf(error) }, 'a project could not leave its machine')
      )
    }
  return isAnyLeft ? 'again' : 'done'
}

async function leave(deps: Dependencies, from: string, projectId: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (project?.nodeId !== from) return
    if (project.liveDeploymentId === null || project.status === 'STOPPED') return leaveStopped(deps, trx, project)
    await redeployLiveImage(deps, trx, project)
    deps.logger.info({ projectId, machine: from }, 'a project leaves its machine')
  })
}

/** It does not run, so that its next start makes the new containers. */
async function leaveStopped(deps: Dependencies, trx: Transaction, { id }: ProjectRow): Promise<void> {
  const decision = await decidePlacement(deps, trx, id)
  if (!('nodeId' in decision)) return
  const { nodeId } = decision
  await updateProject(trx, id, { nodeId, containerId: null, containerStatus: null, internalPort: null }, deps.now())
  for (const { deploymentId } of await retireSlots(trx, id, deps.now()))
    await deps.jobs.enqueue(trx, 'containers.retire', { deploymentId }, { key: deploymentId })
}

/** Deploys what is live once more, on that machine. The project stays there while it can. */
export async function moveSite(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { nodeId, projectId }: { nodeId: string; projectId: string }
): Promise<MovedSite> {
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project) throw new AppError('NOT_FOUND', 'Project not found')
    await requireMachine(trx, nodeId)
    if (project.nodeId === nodeId) throw new AppError('CONFLICT', 'The project is on this machine already.')
    const decision = await decidePlacement(deps, trx, projectId, nodeId)
    if ('refusal' in decision) throw refused(decision)
    const live = project.liveDeploymentId === null ? undefined : await findDeployment(trx, projectId, project.liveDeploymentId) // oxfmt-ignore
    if (!live || project.status === 'STOPPED')
      throw new AppError('CONFLICT', 'The project does not run. Start or deploy it first.')
    const { id } = await queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(live, true), targetNodeId: nodeId }) // oxfmt-ignore
    await recordAudit(deps, trx, origin, { action: 'machine.site_moved', actorId: userId, targetId: nodeId, metadata: { project: projectId } }) // oxfmt-ignore
    return { deploymentId: id }
  })
}
