import { placementTexts } from '@panel/contract/machine-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import type { ContainerSpec } from '../../infra/container-engine/container-engine.ts'
import { poolCount } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import { type ContainerFacts, containerPortOf, containerSpec, mountsKey } from '../containers/container-spec.policy.ts'
import { retireSlots } from '../containers/slot-access.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { tryApplyRoutes } from '../domains/routing.service.ts'
import { listHostnames, listProjectRoutes, releaseHostnames, reserveHostname } from '../domains/project-route-access.ts'
import { projectHostnames } from '../domains/hostname.policy.ts'
import { projectReleased, runEffects } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { decidePlaces } from '../nodes/placement.service.ts'
import { projectTypeOf } from '../project-types.ts'
import { findFreePool, lockProject, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { findUser, lockWithResellers } from '../users/account-access.ts'
import type { DeploymentLog } from './deployment-log.service.ts'
import { type DeploymentRow, lockDeployment, moveDeployment } from './deployments.repository.ts'
import { makeKeptFolders } from './kept-folders.service.ts'
import { bringImages, requireReady, reserveInstances, startInstance } from './release-instances.service.ts'
import { runReleaseCommand } from './release-command.service.ts'
import { mountVolumes } from '../volumes/volume-access.ts'
import { notifyOutcome } from './outcome-notification.service.ts'

export interface Release {
  deployment: DeploymentRow
  project: ProjectRow
  image: string
  imageSpec: ImageSpec
  env: Readonly<Record<string, string>>
  /** Runs before the new container starts; undefined for an image that has been released before. */
  releaseStep: { command: string; env: Readonly<Record<string, string>> } | undefined
  log: DeploymentLog
  signal: AbortSignal
  enterPhase(phase: 'RELEASE' | 'START'): void
}

/** The deployment was cancelled or deleted before it could take over. */
export class Superseded extends Error {}

/** Starts the new containers next to the old ones and switches once all answer. Before that, the old ones stay live. */
export async function releaseImage(deps: Dependencies, asked: Release): Promise<void> {
  const { deployment, env, imageSpec, log, signal } = asked
  const places = await placeRelease(deps, deployment)
  const release = { ...asked, project: { ...asked.project, nodeId: places[0] } }
  const { project } = release
  const owner = await findUser(deps.db, project.userId)
  if (!owner) throw new BuildError({ code: 'ACCOUNT_GONE' })
  const containerPort = containerPortOf(project, env, imageSpec)
  const there = await onMachine(deps, project.nodeId)
  const mounts = await mountVolumes(there, project, { image: release.image, uid: owner.uid })
  const instances = await reserveInstances(there, release, { places, uid: owner.uid, containerPort, mounts })
  const { spec, facts } = instances[0]!
  await prepareFiles(deps, release, spec.volumes)
  await bringImages(instances, release)
  await runReleaseStep(there, release, facts)
  log.phase('start')
  for (const instance of instances) {
    await startInstance(instance, log)
    signal.throwIfAborted()
  }
  log.phase('check')
  log.line(`Waiting for ${expected(project.health)} on port ${containerPort}`)
  await Promise.all(instances.map((instance) => requireReady(instance, release)))

  const { hostname, routes, effects } = await takeOver(deps, release, {
    containerId: instances[0]!.containerId!,
    hostPort: spec.hostPort!,
    instances: instances.length,
    mountedVolumes: mountsKey(facts.mounts)
  })
  // An unavailable proxy is updated once it is back; the old container keeps running until then.
  const isRouted = await tryApplyRoutes(deps, routes)
  log.line(
    isRouted
      ? `Serving at ${hostname}`
      : `The reverse proxy is not responding; ${hostname} switches as soon as it is back`
  )
  await runEffects(deps, effects)
  log.phase('end')
  await log.flush()
  await deps.db.transaction(async (trx) => {
    const row = await moveDeployment(trx, deployment.id, 'RUNNING', deps.now())
    if (row) await notifyOutcome(deps, trx, row)
  })
}

async function placeRelease(deps: Dependencies, { projectId, targetNodeId }: DeploymentRow) {
  const decision = await decidePlaces(deps, deps.db, projectId, targetNodeId ?? undefined)
  if ('places' in decision) return decision.places
  throw new BuildError({ code: 'NO_MACHINE', values: { reason: sentenceText(placementTexts, [decision.refusal]) } })
}

function expected(health: ProjectRow['health']): string {
  if (health === null) return 'an HTTP response'
  return health.path === null ? 'a connection' : `a healthy answer to GET ${health.path}`
}

async function prepareFiles(
  deps: Dependencies,
  { project, imageSpec, env }: Release,
  volumes: ContainerSpec['volumes']
) {
  if (imageSpec.filesAt === undefined || !project.keepsFiles) return
  await syncProjectDirectories(deps, project.userId)
  await makeKeptFolders(deps, project, imageSpec.keeps ?? [])
  await projectTypeOf(deps, project.type)?.prepareFiles(deps, project, { env, root: imageSpec.filesAt, volumes })
}

async function runReleaseStep(
  deps: Dependencies,
  { releaseStep, enterPhase, log, signal }: Release,
  facts: ContainerFacts
): Promise<void> {
  if (releaseStep === undefined) return
  enterPhase('RELEASE')
  log.phase('release')
  const problem = await runReleaseCommand(deps.engine, {
    spec: containerSpec(deps.config, { ...facts, env: releaseStep.env }),
    command: releaseStep.command,
    onOutput: (text) => log.write(text),
    signal
  })
  if (problem !== undefined) throw new BuildError(problem)
  enterPhase('START')
}

/** The commit point: in one transaction the new container becomes live and the old ones retire. */
async function takeOver(
  deps: Dependencies,
  release: Release,
  container: { containerId: string; hostPort: number; instances: number; mountedVolumes: string }
) {
  const { deployment, project } = release
  return deps.db.transaction(async (trx) => {
    // Before the project, as everywhere: the features count what the release adds against the account's quotas.
    await lockWithResellers(trx, project.userId)
    const current = await lockProject(trx, project.id)
    const row = await lockDeployment(trx, deployment.id)
    if (!current || row?.status !== 'DEPLOYING') throw new Superseded('the deployment was ended elsewhere')
    const hostname = await reserveHostname(
      trx,
      current.id,
      projectHostnames(current, deps.config.BASE_DOMAIN, deps.config.PANEL_DOMAIN)
    )
    if (hostname === undefined) throw new BuildError({ code: 'NO_HOST_NAME' })
    // A renamed project gives up its previous hostname.
    const routes = await listProjectRoutes(trx, [current.id])
    const hostnames = await listHostnames(trx, current.id)
    await releaseHostnames(
      trx,
      hostnames.filter((name) => name !== hostname)
    )
    const now = deps.now()
    const proxyPool = container.instances > 1 ? (current.proxyPool ?? (await findFreePool(trx))) : null
    if (proxyPool === undefined) throw new BuildError({ code: 'NO_PROXY_POOL', values: { count: String(poolCount) } })
    const released = await updateProject(
      trx,
      current.id,
      {
        // A pool is freed once no route names it (domains/routing.service.ts).
        ...(proxyPool === null ? {} : { proxyPool }),
        nodeId: project.nodeId,
        status: 'ACTIVE',
        stopReason: null,
        asleepSince: null,
        outOfMemoryAt: null,
        outOfMemoryMb: null,
        liveDeploymentId: deployment.id,
        containerId: container.containerId,
        containerStatus: 'running',
        internalPort: container.hostPort,
        mountedVolumes: container.mountedVolumes,
        deployedDomain: hostname,
        deployedAt: now
      },
      now
    )
    const retired = await retireSlots(trx, current.id, now, deployment.id)
    for (const slot of retired) {
      await deps.jobs.enqueue(trx, 'containers.retire', { deploymentId: slot.deploymentId }, { key: slot.deploymentId })
    }
    return { hostname, routes, effects: await projectReleased(deps, trx, released!, current) }
  })
}
