import { type Pagination, pagination } from '@panel/contract/common'
import type { BuildRequest, Deployment, DeploymentQuery, DeploymentTrigger } from '@panel/contract/deployments'
import type { Transaction } from '../../db/database.ts'
import type { ImageSpec, SourceImage, StoredSnapshot, StoredUpload } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { deploymentChanged } from '../hooks.ts'
import { projectTypeOf } from '../project-types.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { isSnapshotKept } from '../snapshots/snapshot-access.ts'
import { getActor } from '../users/account-access.ts'
import { queueOf, deploymentQueues } from './deployment.machine.ts'
import { deploymentView, withLog, withoutLog } from './deployment-view.ts'
import {
  appendLog,
  countQueued,
  type DeploymentRow,
  findDeployment,
  findLatestImage,
  findLatestUpload,
  insertDeployment,
  isUploadKept,
  listDeployments,
  lockDeployment,
  moveDeployment,
  readLogs
} from './deployments.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'jobs' | 'now'>

const maxQueuedPerProject = 20
const listLogBytes = 16 * 1024

interface NewDeployment {
  trigger: DeploymentTrigger
  commitHash?: string | null
  commitMsg?: string | null
  buildCmd?: string | null
  upload?: StoredUpload | null
  snapshot?: StoredSnapshot | null
  image?: string
  imageSpec?: ImageSpec
  sourceImage?: SourceImage | null
  targetNodeId?: string
}

/** In the caller's transaction, which holds the project lock. */
export async function queueDeployment(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow,
  values: NewDeployment
): Promise<DeploymentRow> {
  // Reads the account under the project lock: a suspension either happened before or cancels what is queued here.
  await getActor(trx, project.userId)
  if ((await countQueued(trx, project.id)) >= maxQueuedPerProject) {
    throw new AppError(
      'DEPLOYMENT_IN_PROGRESS',
      `This project already has ${maxQueuedPerProject} queued deployments. Wait, or cancel some first.`
    )
  }
  const now = deps.now()
  const row = await insertDeployment(trx, {
    id: newId(now.getTime()),
    projectId: project.id,
    userId: project.userId,
    createdAt: now,
    updatedAt: now,
    ...values
  })
  await deps.jobs.enqueue(trx, deploymentQueues[queueOf(values.trigger)].name, {}, { key: 'next' })
  return row
}

export async function requestBuild(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { buildCmd = null, retryOf }: NonNullable<BuildRequest>
): Promise<Deployment> {
  const row = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    const source = await sourceFor(trx, project, retryOf)
    if (source.trigger === 'MANUAL') requireRepository(deps, project)
    const { snapshot, ...values } = source
    const queued = snapshot
      ? await queueReplacement(deps, trx, project, { ...values, snapshot })
      : await queueDeployment(deps, trx, project, { ...values, buildCmd })
    // Not the command itself, which may contain a password.
    const metadata = { deploymentId: queued.id, ...(buildCmd === null ? {} : { buildCmd: 'given' }) }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'deployment.build_requested', ...entry })
    return queued
  })
  return deploymentView(row, undefined, undefined)
}

/** Of a project without a repository, the folder that was uploaded last. */
async function latestSource(
  trx: Transaction,
  { id, gitUrl, source }: ProjectRow
): Promise<Pick<NewDeployment, 'trigger' | 'upload' | 'snapshot'>> {
  if (source === 'FILES') return { trigger: 'SNAPSHOT' }
  const upload = gitUrl === null ? await findLatestUpload(trx, id) : undefined
  return upload === undefined ? { trigger: 'MANUAL' } : { trigger: 'UPLOAD', upload }
}

/** Of a repeated deployment, its uploaded folder: the branch could be other code. */
async function sourceFor(
  trx: Transaction,
  project: ProjectRow,
  retryOf: string | undefined
): ReturnType<typeof latestSource> {
  const { upload, snapshot } =
    retryOf === undefined
      ? { upload: null, snapshot: null }
      : requireDeployment(await findDeployment(trx, project.id, retryOf))
  if (project.source === 'FILES' && snapshot?.archive != null) {
    if (!(await isSnapshotKept(trx, snapshot.id))) throw notKept()
    return { trigger: 'UPLOAD', snapshot }
  }
  if (upload === null) return latestSource(trx, project)
  if (!(await isUploadKept(trx, upload))) throw notKept()
  return { trigger: 'UPLOAD', upload }
}

const notKept = () =>
  new AppError('UPLOAD_NOT_KEPT', 'The uploaded folder of this deployment is no longer kept. Upload it again.')

/** Saves the files of the project in a deployment of its own before those of a snapshot replace them. */
export async function queueReplacement(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow,
  { snapshot: { id, archive, files, bytes }, ...values }: NewDeployment & { snapshot: StoredSnapshot },
  { isEmpty = false } = {}
): Promise<DeploymentRow> {
  const snapshot = { id, archive, files, bytes }
  if (isEmpty) return queueDeployment(deps, trx, project, { ...values, snapshot })
  const saved = {
    id: newId(deps.now().getTime()),
    archive: null,
    files: 0,
    bytes: 0,
    isPending: true,
    isSaved: true
  } as const
  const { id: after } = await queueDeployment(deps, trx, project, { trigger: 'SNAPSHOT', snapshot: saved })
  return queueDeployment(deps, trx, project, { ...values, snapshot: { ...snapshot, after } })
}

export function requireRepository(deps: Pick<Deps, 'features'>, { gitUrl, type, source }: ProjectRow): void {
  if (source === 'FILES')
    throw new AppError('GIT_NOT_CONNECTED', 'This project is served from its files. Set its source to GIT to build its repository.') // oxfmt-ignore
  if (gitUrl === null && !projectTypeOf(deps, type)?.isWithoutRepository)
    throw new AppError('GIT_NOT_CONNECTED', 'No Git repository is connected. Connect one first.')
}

export async function requestRollback(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  deploymentId: string
): Promise<Deployment> {
  const row = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    const target = requireDeployment(await findDeployment(trx, projectId, deploymentId))
    // Locked so that the image cleanup cannot remove the image in between.
    const locked = requireDeployment(await lockDeployment(trx, target.id))
    const values = { trigger: 'ROLLBACK', ...rollbackOf(locked) } as const
    const { snapshot } = locked
    const queued =
      snapshot !== null && locked.imageSpec?.servesFiles === true
        ? await queueReplacement(deps, trx, project, { ...values, snapshot })
        : await queueDeployment(deps, trx, project, values)
    const metadata = { deploymentId: queued.id, to: deploymentId, commitHash: queued.commitHash }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'deployment.rollback_requested', ...entry })
    return queued
  })
  return deploymentView(row, undefined, undefined)
}

/** For settings that only apply when a container is created. The caller holds the project lock. */
export async function redeployLiveImage(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow,
  target: { targetNodeId?: string } = {}
): Promise<void> {
  if (project.liveDeploymentId === null || project.status === 'STOPPED') return
  if ((await countQueued(trx, project.id)) > 0) return
  const live = await findDeployment(trx, project.id, project.liveDeploymentId)
  if (live?.image == null || live.imageSpec === null) return
  await queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(live, true), ...target })
}

/**
 * After the files of a project were exchanged: their path is fixed when a container is created. A project that its owner
 * stopped stays stopped. The caller holds the project lock.
 */
export async function redeployFiles(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow
): Promise<DeploymentRow | undefined> {
  if (project.status === 'STOPPED') return undefined
  const latest = await findLatestImage(trx, project.id)
  const kept = latest && (await lockDeployment(trx, latest.id))
  // Images built before projects had directories contain the site and would serve it instead.
  if (kept?.image == null || kept.imageSpec?.filesAt === undefined)
    return queueDeployment(deps, trx, project, await sourceFor(trx, project, project.liveDeploymentId ?? undefined))
  return queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(kept) })
}

/** Possible until the new container takes over. */
export async function cancelDeployment(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  deploymentId: string
): Promise<Deployment> {
  await getOwnProject(deps.db, projectId, userId)
  const row = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    requireDeployment(await findDeployment(trx, projectId, deploymentId))
    await lockDeployment(trx, deploymentId)
    const cancelled =
      project.liveDeploymentId === deploymentId
        ? undefined
        : await moveDeployment(trx, deploymentId, 'CANCELLED', deps.now())
    if (!cancelled) throw new AppError('DEPLOYMENT_FINISHED', 'This deployment has already ended.')
    await deploymentChanged(deps, trx, cancelled)
    await appendLog(trx, deploymentId, '\nCANCELLED on request\n')
    const entry = { actorId: userId, targetId: projectId, metadata: { deploymentId } }
    await recordAudit(deps, trx, origin, { action: 'deployment.cancelled', ...entry })
    return cancelled
  })
  return withLog(deps, row, undefined)
}

export async function getDeployment(
  deps: Deps,
  userId: string,
  { projectId, deploymentId, logs = true }: { projectId: string; deploymentId: string; logs?: boolean }
): Promise<Deployment> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const row = requireDeployment(await findDeployment(deps.db, projectId, deploymentId))
  return logs ? withLog(deps, row, project) : withoutLog(row, project)
}

export async function listProjectDeployments(
  deps: Deps,
  userId: string,
  projectId: string,
  query: DeploymentQuery
): Promise<{ deployments: Deployment[]; pagination: Pagination }> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const { rows, total } = await listDeployments(deps.db, projectId, query.limit, (query.page - 1) * query.limit)
  const ids = rows.map((row) => row.id)
  const logs = query.logs ? await readLogs(deps.db, ids, listLogBytes) : undefined
  return {
    deployments: rows.map((row) => (logs ? deploymentView(row, project, logs.get(row.id)) : withoutLog(row, project))),
    pagination: pagination(query.page, query.limit, total)
  }
}

/** What a new deployment of the same image inherits. A live one may still be DEPLOYING: its container has just taken over. */
export function imageOf(
  row: DeploymentRow,
  isLive = false
): {
  image: string
  imageSpec: ImageSpec
  commitHash: string | null
  commitMsg: string | null
  sourceImage: SourceImage | null
  upload: StoredUpload | null
} {
  const { image, imageSpec, commitHash, commitMsg, sourceImage, upload } = row
  if (image === null || imageSpec === null || (row.status !== 'RUNNING' && !isLive))
    throw new AppError('IMAGE_NOT_KEPT', 'The image of this deployment is no longer kept. Build again.')
  return { image, imageSpec, commitHash, commitMsg, sourceImage, upload }
}

/** An image from a registry that is no longer kept here is pulled again by its digest. */
const rollbackOf = (row: DeploymentRow): Partial<ReturnType<typeof imageOf>> =>
  row.image === null && row.sourceImage !== null && row.status === 'RUNNING'
    ? { sourceImage: row.sourceImage }
    : imageOf(row)

export function requireDeployment(row: DeploymentRow | undefined): DeploymentRow {
  if (!row) throw new AppError('NOT_FOUND', 'Deployment not found')
  return row
}
