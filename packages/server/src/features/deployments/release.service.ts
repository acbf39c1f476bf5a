import { placementTexts } from '@panel/contract/machine-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import type { ContainerSpec, Endpoint } from '../../infra/container-engine/container-engine.ts'
import { poolCount } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { BuildError } from '../../infra/image-builder/image-builder.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import { projectDirectory } from '../../process/paths.ts'
import { bringImage } from '../builds/image-copies.service.ts'
import { type ContainerFacts, containerPortOf, containerSpec, mountsKey } from '../containers/container-spec.policy.ts'
import { retireSlots } from '../containers/slot-access.ts'
import { reservePlace } from '../containers/host-port.service.ts'
import { waitUntilReady } from '../containers/readiness.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { tryApplyRoutes } from '../domains/routing.service.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { listHostnames, listProjectRoutes, releaseHostnames, reserveHostname } from '../domains/project-route-access.ts'
import { projectHostnames, siteHostname } from '../domains/hostname.policy.ts'
import { projectReleased, runEffects } from '../hooks.ts'
import { onMachine } from '../nodes/on-machine.service.ts'
import { decidePlacement } from '../nodes/placement.service.ts'
import { projectTypeOf } from '../project-types.ts'
import { findFreePool, lockProject, type ProjectRow, updateProject } from '../projects/project-access.ts'
import { findUser, lockWithResellers } from '../users/account-access.ts'
import type { DeploymentLog } from './deployment-log.service.ts'
import { type DeploymentRow, lockDeployment, moveDeployment } from './deployments.repository.ts'
import { makeKeptFolders } from './kept-folders.service.ts'
import { runReleaseCommand } from './release-command.service.ts'
import { mountVolumes } from '../volumes/volume-access.ts'
import { notifyOutcome } from './outcome-notification.service.ts'

interface Release {
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

/** Starts the new container next to the old one and switches once it answers. Before that, the old one stays live. */
export async function releaseImage(deps: Dependencies, asked: Release): Promise<void> {
  const { deployment, imageSpec, env, log, signal } = asked
  const project = { ...asked.project, nodeId: await placeRelease(deps, deployment) }
  const release = { ...asked, project }
  const owner = await findUser(deps.db, project.userId)
  if (!owner) throw new BuildError({ code: 'ACCOUNT_GONE' })
  const containerPort = containerPortOf(project, env, imageSpec)
  const there = await onMachine(deps, project.nodeId)
  const instances = await reserveInstances(there, release, { uid: owner.uid, containerPort })
  const { spec, facts } = instances[0]!
  await prepareFiles(deps, release, spec.volumes)
  if (await bringImage(there, release.image, release.signal)) log.line('Copied the image to the machine of the project')
  await runReleaseStep(there, release, facts)
  log.phase('start')
  const containerIds: string[] = []
  for (const { spec } of instances) {
    const containerId = await there.engine.createContainer(spec)
    signal.throwIfAborted()
    log.line(`Starting container ${containerId.slice(0, 12)} on 127.0.0.1:${spec.hostPort}`)
    await there.engine.startContainer(containerId)
    containerIds.push(containerId)
  }
  log.phase('check')
  log.line(`Waiting for ${expected(project.health)} on port ${containerPort}`)
  await Promise.all(instances.map(({ endpoint }, at) => requireReady(there, release, containerIds[at]!, endpoint)))

  const { hostname, routes, effects } = await takeOver(deps, release, {
    containerId: containerIds[0]!,
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

async function placeRelease(deps: Dependencies, { projectId, targetNodeId }: DeploymentRow): Promise<string> {
  const decision = await decidePlacement(deps, deps.db, projectId, targetNodeId ?? undefined)
  if ('nodeId' in decision) return decision.nodeId
  throw new BuildError({ code: 'NO_MACHINE', values: { reason: sentenceText(placementTexts, [decision.refusal]) } })
}

function expected(health: ProjectRow['health']): string {
  if (health === null) return 'an HTTP response'
  return health.path === null ? 'a connection' : `a healthy answer to GET ${health.path}`
}

interface Instance {
  facts: ContainerFacts
  endpoint: Endpoint
  spec: ContainerSpec
}

async function reserveInstances(
  deps: Dependencies,
  { deployment, project, image, imageSpec, env }: Release,
  { uid, containerPort }: { uid: number; containerPort: number }
): Promise<Instance[]> {
  const labels = { [label.instance]: deps.instanceId, [label.project]: project.id }
  const legacyVolumes = await deps.engine.listVolumes(labels)
  const mounts = await mountVolumes(deps, project, { image, uid })
  const instances: Instance[] = []
  for (let instance = 0; instance < project.instances; instance++) {
    const { slot, networkName, hostsFile } = await reservePlace(deps, uid, {
      nodeId: project.nodeId,
      projectId: project.id,
      deploymentId: deployment.id,
      instance,
      containerPort,
      isReachable: project.reachable
    })
    const endpoint = await endpointOf(deps, slot)
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
    instances.push({ facts, endpoint, spec: containerSpec(deps.config, facts) })
  }
  return instances
}

async function requireReady(
  deps: Dependencies,
  { project, log, signal }: Release,
  containerId: string,
  endpoint: Endpoint
): Promise<void> {
  const problem = await waitUntilReady(deps.engine, containerId, endpoint, {
    health: project.health,
    hostname: siteHostname(deps.config, project),
    timeoutSeconds: deps.config.DEPLOY_START_TIMEOUT,
    signal
  })
  if (problem === undefined) return
  const lastLines = await deps.engine.containerLogs(containerId, 50)
  if (lastLines.trim() !== '') log.line(`--- last lines of the container ---\n${lastLines.trimEnd()}\n---`)
  throw new BuildError(problem)
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
