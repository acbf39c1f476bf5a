import type { DeploymentFailure } from '@panel/contract/deployments'
import type { Config } from '../../config.ts'
import { mirrorSecrets } from '../../config/builds.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { untilDeadline } from '../../infra/container-engine/container-engine.ts'
import { isStaged } from '../../infra/staging/staging.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { BuildError, type BuildSource } from '../../infra/image-builder/image-builder.ts'
import type { PulledImage } from '../../infra/image-builder/pulled-image.ts'
import type { BuildNetworks } from '../builds/build-networks.service.ts'
import { buildSettingsOf } from '../builds/build-settings.ts'
import { watchDisk } from '../builds/disk-watch.service.ts'
import { requestImageCleanUp } from '../builds/image-cleanup.jobs.ts'
import { listSlotsOf } from '../containers/slot-access.ts'
import { removeSlotContainers } from '../containers/retire.jobs.ts'
import { buildEnvironmentOf, environmentOf, openEnvironment } from '../env-vars/environment.service.ts'
import { requireAccountSpace } from '../disk-usage/disk-usage-access.ts'
import type { WorkerContext } from '../feature.ts'
import { openAccountImages, resolveImage } from '../registries/image-source.service.ts'
import { findUid } from '../users/account-access.ts'
import { deploymentChanged, listPostponed, projectStarting } from '../hooks.ts'
import { projectTypeOf } from '../project-types.ts'
import { fetchSource } from '../git/git.service.ts'
import { uploadRepository } from '../git/workspace.service.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { settlePlacements } from '../snapshots/snapshot-access.ts'
import { type DeploymentLog, openDeploymentLog } from './deployment-log.service.ts'
import { type DeploymentQueue, deploymentQueues } from './deployment.machine.ts'
import { claimDeployment, type DeploymentRow, moveDeployment, updateDeployment } from './deployments.repository.ts'
import { watchForEnd } from './end-watch.service.ts'
import { recordFailure } from './failed-run.service.ts'
import { isOfFiles, placeFiles, siteFilesOf } from './files-source.service.ts'
import { trimLogs } from './log-retention.jobs.ts'
import { releaseImage, Superseded } from './release.service.ts'

interface Runner extends Pick<WorkerContext, 'signal'> {
  lease: Pick<WorkerContext['lease'], 'workerId'>
  buildNetworks: Pick<BuildNetworks, 'acquire'>
}

/** Deployments of kept images are short and must not wait behind builds. */
export const queueConcurrency: Record<DeploymentQueue, (config: Pick<Config, 'BUILD_CONCURRENCY'>) => number> = {
  build: (config) => config.BUILD_CONCURRENCY,
  image: () => 4
}

/** Concurrent callers share the work. */
export async function runQueue(deps: Dependencies, worker: Runner, queue: DeploymentQueue): Promise<void> {
  const most = queueConcurrency[queue](deps.config)
  while (!worker.signal.aborted) {
    const deployment = await deps.db.transaction(async (trx) => {
      const postponed = await listPostponed(deps, trx)
      const claimed = await claimDeployment(trx, queue, { workerId: worker.lease.workerId, postponed }, deps.now())
      // Deployments queued together share one wake-up, so each claim wakes the next worker.
      if (claimed) await deps.jobs.enqueue(trx, deploymentQueues[queue].name, {}, { key: 'next' })
      return claimed
    })
    if (!deployment) return
    await runDeployment(deps, worker, deployment)
    // The limit was lowered: leave the rest to a job that the queue has room for.
    if (queueConcurrency[queue](deps.config) < most)
      return deps.db.transaction((trx) => deps.jobs.enqueue(trx, deploymentQueues[queue].name, {}, { key: 'next' }))
  }
}

async function runDeployment(deps: Dependencies, worker: Runner, deployment: DeploymentRow): Promise<void> {
  const project = await findProject(deps.db, deployment.projectId)
  if (!project) {
    await moveDeployment(deps.db, deployment.id, 'CANCELLED', deps.now())
    return
  }
  const log = openDeploymentLog(deps, deployment.id)
  let phase: Phase = 'PREPARE'
  const enterPhase = (next: Phase) => void (phase = next)
  const moved = watchForEnd(deps, deployment)
  const timeout = AbortSignal.timeout(deps.config.BUILD_TIMEOUT * 1000)
  const signal = AbortSignal.any([worker.signal, moved.signal, timeout])
  try {
    await projectTypeOf(deps, project.type)?.prepare(deps, project, signal)
    await untilDeadline(signal, () => projectStarting(deps, project))
    const { variables, secrets } = await untilDeadline(signal, () => openEnvironment(deps, project.id))
    log.hide([...secrets, ...mirrorSecrets(deps.config)])
    await untilDeadline(signal, async () => {
      const isNew = deployment.status === 'BUILDING'
      const { image, imageSpec } = isNew
        ? await build(deps, {
            deployment,
            project,
            environment: buildEnvironmentOf(variables),
            log,
            signal,
            enterPhase,
            buildNetworks: worker.buildNetworks
          })
        : keptImage(deployment)
      enterPhase('START')
      if (deployment.snapshot?.isSaved) return endSaved(deps, deployment, log)
      if (imageSpec.servesFiles) await placeFiles(deps, { deployment, project, log, signal })
      const command =
        isNew && deployment.trigger !== 'ROLLBACK' && !imageSpec.servesFiles
          ? project.releaseCmd?.trim() || imageSpec.processes?.release
          : undefined
      await releaseImage(deps, {
        deployment,
        project,
        image,
        imageSpec,
        env: environmentOf(variables, 'web'),
        releaseStep: command === undefined ? undefined : { command, env: environmentOf(variables, 'release') },
        log,
        signal,
        enterPhase
      })
    })
  } catch (error) {
    const run = { error, deployment, phase, timedOut: timeout.aborted, stopped: worker.signal.aborted, log }
    const ended = await recordFailure(deps, run)
    if (ended) deps.logger.info({ deployment: deployment.id, reason: ended }, 'deployment failed')
    await discardContainer(deps, deployment)
    await bringFilesBack(deps, deployment)
  } finally {
    moved.stop()
    await log.close()
    // The hourly job trims the rest.
    await trimLogs(deps, deployment.userId).catch((error: unknown) =>
      deps.logger.warn({ error: messageOf(error), deployment: deployment.id }, 'could not trim old logs')
    )
    await requestImageCleanUp(deps)
  }
}

type Phase = DeploymentFailure['phase']

interface Build {
  deployment: DeploymentRow
  project: ProjectRow
  environment: ReturnType<typeof buildEnvironmentOf>
  log: DeploymentLog
  signal: AbortSignal
  enterPhase(phase: Phase): void
  buildNetworks: Runner['buildNetworks']
}

async function build(deps: Dependencies, task: Build) {
  await requireAccountSpace(deps, task.project.userId)
  const disk = await watchDisk(deps)
  try {
    return await buildImage(deps, { ...task, signal: AbortSignal.any([task.signal, disk.signal]) })
  } finally {
    disk.stop()
  }
}

async function buildImage(deps: Dependencies, task: Build) {
  const { deployment, project, environment, log, signal, enterPhase, buildNetworks } = task
  enterPhase('SOURCE')
  const siteFiles = isOfFiles(deployment, project) ? await siteFilesOf(deps, task) : undefined
  const repository = siteFiles ? undefined : await sourceOf(deps, task)
  const source = project.type === 'IMAGE' ? await resolveSourceImage(deps, { deployment, project, log }) : undefined
  const accountImages = project.type === 'DOCKERFILE' ? await accountImagesOf(deps, task) : undefined
  enterPhase('BUILD')
  const tag = `${deps.config.BUILD_IMAGE_PREFIX}-${project.id}:${deployment.id}`
  const account = await findUid(deps.db, project.userId)
  const built = await withBuildNetwork(buildNetworks, (network) =>
    deps.builder.build({
      source: {
        repository,
        siteFiles,
        ...buildSettingsOf(project),
        buildCmd: deployment.buildCmd ?? project.buildCmd,
        ...environment,
        ...(source && { image: source }),
        accountImages
      },
      tag,
      labels: {
        [label.instance]: deps.instanceId,
        [label.project]: project.id,
        [label.deployment]: deployment.id,
        ...(source && { [label.pulled]: source.digest })
      },
      account,
      network,
      signal,
      onLog: (text) => log.write(text),
      onPhase: (phase) => log.phase(phase)
    })
  )
  const { imageId: _imageId, description: _description, ...image } = built
  const imageSpec: ImageSpec = { ...image, volumes: [] }
  const row = await moveDeployment(deps.db, deployment.id, 'DEPLOYING', deps.now(), { image: tag, imageSpec })
  if (!row) throw new Superseded('the deployment was ended elsewhere')
  return { image: tag, imageSpec }
}

/** Recorded before the pull: what a deployment runs is known even if the pull fails. */
async function resolveSourceImage(
  deps: Dependencies,
  { deployment, project, log }: Pick<Build, 'deployment' | 'project' | 'log'>
): Promise<PulledImage & { digest: string }> {
  log.phase('fetch')
  const { sourceImage, login, ...image } = await resolveImage(deps, project, deployment.sourceImage ?? undefined)
  if (login) log.hide([{ key: 'REGISTRY_SECRET', value: login.secret }])
  log.line(`${sourceImage.reference} is ${sourceImage.digest}`)
  await updateDeployment(deps.db, deployment.id, { sourceImage }, deps.now())
  return { ...image, login }
}

async function accountImagesOf(deps: Dependencies, { project, log }: Pick<Build, 'project' | 'log'>) {
  const { images, secrets } = await openAccountImages(deps, project.userId)
  log.hide(secrets.map((value) => ({ key: 'REGISTRY_SECRET', value })))
  return images
}

async function sourceOf(
  deps: Dependencies,
  { deployment, project, log, signal }: Build
): Promise<BuildSource['repository']> {
  const { upload } = deployment
  if (upload !== null) {
    log.line(`Uploaded by ${upload.by} from the folder ${upload.folder}: ${upload.files} files`)
    const directory = uploadRepository(deps.config, project.id, upload.id)
    // The backup of an account has no uploads, and one of the panel may be older than this.
    if (!(await isStaged(directory))) throw new BuildError({ code: 'UPLOAD_NOT_KEPT' })
    return { directory, commitHash: upload.commit }
  }
  if (project.gitUrl === null) return undefined
  log.phase('fetch')
  const options = { signal, onProgress: (line: string) => log.line(line) }
  const { directory, commit } = await fetchSource(deps, project, deployment.commitHash, options)
  log.line(`Commit ${commit.hash.slice(0, 12)}: ${commit.message.split('\n')[0] ?? ''}`)
  await recordCommit(deps, deployment, commit)
  return { directory, commitHash: commit.hash }
}

async function recordCommit(
  deps: Pick<Dependencies, 'db' | 'features' | 'jobs' | 'now'>,
  deployment: DeploymentRow,
  { hash: commitHash, message: commitMsg }: { hash: string; message: string }
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await updateDeployment(trx, deployment.id, { commitHash, commitMsg }, deps.now())
    await deploymentChanged(deps, trx, { ...deployment, commitHash, commitMsg })
  })
}

/** Build steps run as root with NET_RAW, so they get a network without anyone else on it. */
async function withBuildNetwork<T>(
  buildNetworks: Runner['buildNetworks'],
  work: (network: string) => Promise<T>
): Promise<T> {
  const network = await buildNetworks.acquire()
  let isDone = false
  try {
    const result = await work(network.name)
    isDone = true
    return result
  } finally {
    await network.release(isDone)
  }
}

function keptImage(deployment: DeploymentRow) {
  if (deployment.image === null || deployment.imageSpec === null) throw new BuildError({ code: 'IMAGE_NOT_KEPT' })
  return { image: deployment.image, imageSpec: deployment.imageSpec }
}

async function endSaved(deps: Dependencies, { id }: DeploymentRow, log: DeploymentLog): Promise<void> {
  log.phase('end')
  await log.flush()
  await moveDeployment(deps.db, id, 'RUNNING', deps.now())
}

/** Left to reconcile if it fails. */
async function bringFilesBack(deps: Dependencies, { id, projectId }: DeploymentRow): Promise<void> {
  await settlePlacements(deps, projectId).catch((error: unknown) =>
    deps.logger.warn({ error: messageOf(error), deployment: id }, 'could not bring back the files of a project')
  )
}

/** Left to reconcile if the engine is unavailable. */
async function discardContainer(deps: Dependencies, deployment: DeploymentRow): Promise<void> {
  try {
    const project = await findProject(deps.db, deployment.projectId)
    if (project?.liveDeploymentId === deployment.id) return
    await removeSlotContainers(deps, await listSlotsOf(deps.db, deployment.id))
  } catch (error) {
    deps.logger.warn(
      { error: messageOf(error), deployment: deployment.id },
      'could not remove the container of a failed deployment'
    )
  }
}
