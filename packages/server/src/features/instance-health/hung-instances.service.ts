import type { Dependencies } from '../../dependencies.ts'
import type { DownMember } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { messageOf } from '../../text/message-of.ts'
import { listAllInstances } from '../containers/instances.service.ts'
import { stopGraceSeconds } from '../containers/retire.jobs.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import { proxyEndpoints } from '../domains/slot-endpoint.service.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject, listDeployedProjects, type ProjectRow } from '../projects/project-access.ts'
import { afterRestart, findHung, type InstanceFacts, type PastRestarts } from './hung-instance.policy.ts'

const notifyEverySeconds = 3600
/** Between panels that share the store: the first one that sees it restarts it. */
const claimSeconds = 60

/** Restarts at most one hung instance of each project. `past` has the restarts by project and is updated. */
export async function restartHungInstances(deps: Dependencies, past: Map<string, PastRestarts>): Promise<void> {
  const watched = (await listDeployedProjects(deps.db)).filter(isWatched)
  for (const id of past.keys()) if (!watched.some((project) => project.id === id)) past.delete(id)
  for (const project of watched) {
    try {
      await checkProject(deps, project, past)
    } catch (error) {
      deps.logger.warn({ projectId: project.id, error: messageOf(error) }, 'could not check the instances of a project')
    }
  }
}

// The proxy asks by HTTP, which an application without it never answers.
const isWatched = ({ status, instances, proxyPool, restartWhenHung, health }: ProjectRow): boolean =>
  restartWhenHung && status === 'ACTIVE' && instances > 1 && proxyPool !== null && health?.path !== null

async function checkProject(deps: Dependencies, project: ProjectRow, past: Map<string, PastRestarts>): Promise<void> {
  const down = await deps.proxy.listDown({ number: project.proxyPool!, isSticky: project.stickySessions })
  if (down.length === 0) return
  const graceSeconds = project.health?.graceSeconds ?? deps.config.DEPLOY_START_TIMEOUT
  const nowMs = deps.now().getTime()
  const known = past.get(project.id)
  const instances = await listDownInstances(deps, project, down)
  const hung = findHung(instances, { past: known, graceSeconds, nowMs })
  if (!hung || !(await deps.sessions.add(`hung:${hung.containerId}`, '1', claimSeconds))) return
  // Before the attempt, so that one that fails has its pause too.
  past.set(project.id, afterRestart(known, nowMs))
  await hung.engine.restartContainer(hung.containerId, stopGraceSeconds)
  await report(deps, project.id, hung)
}

async function listDownInstances(
  deps: Dependencies,
  project: ProjectRow,
  down: readonly DownMember[]
): Promise<(InstanceFacts & Pick<Dependencies, 'engine'>)[]> {
  const found = await listAllInstances(deps, project)
  const endpointOf = proxyEndpoints(deps)
  const instances = await Promise.all(
    found.map(async ({ there: { engine }, slot, containerId }) => {
      const at = slot && (await endpointOf(slot))
      const member = down.find(({ address, port }) => address === at?.address && port === at.port)
      const state = member && (await engine.findContainer(containerId))
      return (
        state && { engine, containerId, status: state.status, startedAt: state.startedAt, downSeconds: member.seconds }
      )
    })
  )
  return instances.filter((instance) => instance !== undefined)
}

async function report(deps: Dependencies, projectId: string, { containerId, downSeconds }: InstanceFacts) {
  deps.logger.warn({ projectId, containerId, downSeconds }, 'restarted an instance that was not responding')
  const isNotified = await deps.sessions.add(`hung-notified:${projectId}`, '1', notifyEverySeconds)
  await deps.db.transaction(async (trx) => {
    const project = await findProject(trx, projectId)
    if (!project || project.liveDeploymentId === null) return
    const line = `Instance ${containerId.slice(0, 12)} had not answered for ${downSeconds} seconds and was restarted.`
    await appendLog(trx, project.liveDeploymentId, `\n${line}\n`)
    const { userId } = project
    await deps.events.publish(trx, {
      to: { userId },
      name: 'changed',
      data: { type: 'project', id: projectId, projectId }
    })
    if (!isNotified) return
    await notify(deps, trx, {
      userId,
      kind: 'instance-restarted',
      subject: { type: 'project', id: projectId, name: project.name },
      text: [{ code: 'INSTANCE_RESTARTED', values: { project: project.name, seconds: String(downSeconds) } }],
      link: `/projects/${projectId}/logs`
    })
  })
}
