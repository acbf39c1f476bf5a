import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { ContainerSummary } from '../../infra/container-engine/container-engine.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { accountNetworkNames } from '../../net/network-names.ts'
import { ensureMachineFirewall } from '../networks/machine-firewall.service.ts'
import { listAccountNetworks } from '../networks/networks.service.ts'
import { reconcileMachines } from '../nodes/on-machine.service.ts'
import { requestImageCleanUp } from '../builds/image-cleanup.jobs.ts'
import { containerName } from '../containers/container-spec.policy.ts'
import { listSlots } from '../containers/slot-access.ts'
import { removeSlotContainer, retireContainer, stopGraceSeconds } from '../containers/retire.jobs.ts'
import { maskSecrets } from './masking.service.ts'
import { listSecrets } from '../env-vars/environment.service.ts'
import { redeployLiveImage } from './deployments.service.ts'
import { appendLog, listOpenDeployments } from './deployments.repository.ts'
import { listDeployedProjects, lockProject, updateProject } from '../projects/project-access.ts'
import type { WorkerContext } from '../feature.ts'
import { listOfProjects } from '../hooks.ts'
import { placeOf, planRepairs, type Repair } from './reconcile.policy.ts'

type Worker = Pick<WorkerContext, 'stopped'>

/** Brings the containers of each machine in line with the database. After a repair the next round checks the result. */
export async function reconcileContainers(deps: Dependencies, worker: Worker): Promise<'again' | 'done'> {
  return reconcileMachines(deps, 'containers', (there) => reconcileThere(there, worker))
}

async function reconcileThere(deps: Dependencies, worker: Worker): Promise<'again' | 'done'> {
  // A machine that was restarted has its containers, but not the rules.
  await ensureMachineFirewall(deps, () => listAccountNetworks(deps))
  // Engine before database: see planRepairs.
  const found = await deps.engine.listContainers({ [label.instance]: deps.instanceId })
  const networks = await deps.engine.listNetworks({ [label.instance]: deps.instanceId })
  const isHere = ({ nodeId }: { nodeId: string }) => nodeId === deps.nodeId
  const [deployed, slots, open, held, runs] = await Promise.all([
    listDeployedProjects(deps.db),
    listSlots(deps.db).then((rows) => rows.filter(isHere)),
    listOpenDeployments(deps.db),
    listOfProjects(deps, 'listHeld'),
    listOfProjects(deps, 'listRuns')
  ])
  const nameOf = (network: number | null) =>
    network === null ? undefined : accountNetworkNames(deps.instanceId, network).name
  // Instances of a deployment may be in several networks of their account.
  const networkOf = new Map([
    ...slots.map(({ deploymentId, network }) => [deploymentId, nameOf(network)] as const),
    ...slots.map(({ deploymentId, instance, network }) => [containerName(deps.instanceId, deploymentId, instance), nameOf(network)] as const) // oxfmt-ignore
  ])
  const instances = new Map<string, number>()
  for (const { deploymentId } of slots) instances.set(deploymentId, (instances.get(deploymentId) ?? 0) + 1)
  // Further instances of a project may be on other machines than the first one.
  const wanted = deployed.filter((row) => isHere(row) || instances.has(row.liveDeploymentId!))
  const openProjects = new Set(open.map((row) => row.projectId))
  const repairs = planRepairs({
    wanted: wanted.map((row) => ({
      projectId: row.id,
      deploymentId: row.liveDeploymentId!,
      containerId: row.containerId,
      isHome: isHere(row),
      instances: instances.get(row.liveDeploymentId!) ?? 1,
      shouldRun: row.status !== 'STOPPED' && row.asleepSince === null && !held.includes(row.id),
      isFallingAsleep: isFallingAsleep(row.asleepSince, deps.now()),
      isDeploying: openProjects.has(row.id),
      knownStatus: row.containerStatus
    })),
    found: found.filter(isOfSites).map((container) => ({
      id: container.id,
      projectId: container.labels[label.project] ?? '',
      deploymentId: container.labels[label.deployment] ?? '',
      status: container.status,
      place: placeOf(
        container.network,
        networkOf.get(networkOf.has(container.name) ? container.name : (container.labels[label.deployment] ?? '')),
        networks
      )
    })),
    slots: slots.map((slot) => ({
      deploymentId: slot.deploymentId,
      retired: slot.retiredAt !== null
    })),
    openDeployments: new Set([...open.map((row) => row.id), ...runs]),
    openProjects
  })
  const moves = repairs.filter((repair) => repair.kind === 'move')
  const hasMoved = await moveSome(deps, moves, maxMovesAtOnce - open.length)
  const others = repairs.filter((repair) => repair.kind !== 'move')
  await Promise.all(
    others.map((repair) =>
      attempt(deps, repair.kind, async () => {
        await applyRepair(deps, worker, repair)
        deps.logger.info(repair, 'repaired')
      })
    )
  )
  // The cleanup requested when the deployment ended may have found the image still in use.
  if (others.some(({ kind }) => kind === 'remove-slot' || kind === 'remove-container')) await requestImageCleanUp(deps)
  return others.length > 0 || hasMoved ? 'again' : 'done'
}

// Routes change and requests end before the containers are stopped (features/sleep).
const fallingAsleepMs = 30_000
const isFallingAsleep = (since: Date | null, now: Date): boolean =>
  since !== null && Math.abs(now.getTime() - since.getTime()) < fallingAsleepMs

/** Limits moves beside users' deployments: after an upgrade from the shared network, all sites have to move. */
const maxMovesAtOnce = 4
const moveAgainAfterSeconds = 6 * 3600

/** Redeploys live images. A failed move leaves the live container in place and is retried hours later. */
async function moveSome(
  deps: Dependencies,
  moves: readonly Extract<Repair, { kind: 'move' }>[],
  limit: number
): Promise<boolean> {
  let left = limit
  for (const repair of moves) {
    if (left <= 0) return true
    // Only the first process that sees it.
    if (!(await deps.sessions.add(`move:${repair.deploymentId}`, '1', moveAgainAfterSeconds))) continue
    left--
    await attempt(deps, 'move', async () => {
      await redeploy(deps, repair.projectId)
      deps.logger.info(repair, 'redeploying on the account network')
    })
  }
  return left < limit
}

/** A failing repair does not stop the others; the next round tries it again. */
async function attempt(
  deps: Pick<Dependencies, 'logger'>,
  repair: string,
  work: () => Promise<unknown>
): Promise<void> {
  await work().catch((error: unknown) => deps.logger.warn({ repair, error: messageOf(error) }, 'repair failed'))
}

/** The panel's own containers have a role label and are managed elsewhere (cli/own-containers.ts). */
const isOfSites = ({ labels }: ContainerSummary) => labels[label.role] === undefined

async function applyRepair(
  deps: Dependencies,
  worker: Worker,
  repair: Exclude<Repair, { kind: 'move' }>
): Promise<void> {
  switch (repair.kind) {
    case 'remove-container':
      return deps.engine.removeContainer(repair.containerId)
    case 'remove-slot':
      return removeSlotContainer(deps, { deploymentId: repair.deploymentId, nodeId: deps.nodeId })
    case 'retire':
      // Not awaited: draining takes time, and other repairs must not wait.
      void attempt(deps, 'retire', () => retireContainer(deps, repair.deploymentId, worker.stopped))
      return
    case 'start':
      return deps.engine.startContainer(repair.containerId)
    case 'stop':
      return deps.engine.stopContainer(repair.containerId, stopGraceSeconds)
    case 'record-status':
      return recordStatus(deps, repair)
    case 'redeploy':
      return redeploy(deps, repair.projectId, { containerStatus: 'missing' })
  }
}

const crashLogEverySeconds = 3600
const crashLogCharacters = 8 * 1024

/** Masked, short, at most once an hour. */
async function recordStatus(
  deps: Dependencies,
  { projectId, containerId, status }: Extract<Repair, { kind: 'record-status' }>
): Promise<void> {
  const project = await updateProject(deps.db, projectId, { containerStatus: status }, deps.now())
  if (status !== 'restarting' || !project || project.liveDeploymentId === null) return
  // Only the first process that sees it.
  if (!(await deps.sessions.add(`crash-log:${projectId}`, '1', crashLogEverySeconds))) return
  const secrets = await listSecrets(deps, projectId)
  const log = await deps.engine.containerLogs(containerId, 20)
  const lastLines = (await maskSecrets(secrets, log)).slice(-crashLogCharacters)
  const text = `\nThe container exited and is being restarted. Last lines:\n${lastLines.trimEnd()}\n`
  await appendLog(deps.db, project.liveDeploymentId, text)
}

/** Deploys the live image again. `noted` marks a container that was removed by hand, so that this happens only once. */
async function redeploy(
  deps: Dependencies,
  projectId: string,
  noted: { containerStatus?: 'missing' } = {}
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project || project.liveDeploymentId === null) return
    if (noted.containerStatus) await updateProject(trx, projectId, noted, deps.now())
    await redeployLiveImage(deps, trx, project)
  })
}
