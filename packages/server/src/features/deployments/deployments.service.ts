import { setTimeout as sleep } from 'node:timers/promises'
import { type Pagination, pagination } from '@panel/contract/common'
import { failureTexts } from '@panel/contract/failure-texts'
import { knownSentences } from '@panel/contract/sentences'
import {
  type Deployment,
  type DeploymentQuery,
  type DeployResult,
  type DeploymentTrigger,
  openStatuses
} from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Transaction } from '../../db/database.ts'
import type { ImageSpec } from '../../db/schema/deployments.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { correctDeployedDomains, findActiveDomain, updateDomain } from '../domains/domain-access.ts'
import { listHostnames } from '../domains/project-route-access.ts'
import { projectTypeOf } from '../project-types.ts'
import {
  findProject,
  getOwnProject,
  lockProject,
  ownedBy,
  type ProjectRow,
  updateProject
} from '../projects/project-access.ts'
import { getActor } from '../users/account-access.ts'
import { queueOf, deploymentQueues } from './deployment.machine.ts'
import {
  appendLog,
  countQueued,
  type DeploymentRow,
  findDeployment,
  findNewestImage,
  insertDeployment,
  listDeployments,
  lockDeployment,
  moveDeployment,
  readLogs
} from './deployments.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'jobs' | 'now'>

const maxQueuedPerProject = 20
const logBytes = 1024 * 1024
const listLogBytes = 16 * 1024

interface NewDeployment {
  trigger: DeploymentTrigger
  commitHash?: string | null
  commitMsg?: string | null
  buildCmd?: string | null
  image?: string
  imageSpec?: ImageSpec
}

/** Row and job in the caller's transaction, which holds the project's lock. */
export async function queueDeployment(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow,
  values: NewDeployment
): Promise<DeploymentRow> {
  // A suspension waits for the project's lock: it comes before this and is seen, or after and ends what is queued here.
  await getActor(trx, project.userId)
  if ((await countQueued(trx, project.id)) >= maxQueuedPerProject) {
    throw new AppError(
      'DEPLOYMENT_IN_PROGRESS',
      `${maxQueuedPerProject} deployments of this project wait already; cancel some first`
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

/** Queues a build of the branch's head. */
export async function requestBuild(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  buildCmd: string | null
): Promise<Deployment> {
  const row = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    if (project.gitUrl === null && !projectTypeOf(deps, project.type)?.isWithoutRepository) {
      throw new AppError('GIT_NOT_CONNECTED', 'Connect a git repository first: POST /api/projects/:id/git/connect')
    }
    const queued = await queueDeployment(deps, trx, project, { trigger: 'MANUAL', buildCmd })
    // Not the command itself, which may have a password in it.
    const metadata = { deploymentId: queued.id, ...(buildCmd === null ? {} : { buildCmd: 'given' }) }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'deployment.build_requested', ...entry })
    return queued
  })
  return deploymentView(row, undefined, undefined)
}

// Each asks the store four times a second; a script that deploys an agency's sites has some twenty under way.
const waitLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'deployments that are waited for' })

/** Runs the newest image again, with today's variables, and waits for the outcome. */
export function deployNewestImage(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  options: { domain: string | undefined; mayMoveDomain: boolean }
): Promise<DeployResult> {
  return waitLimit.run(userId, () => deployAndWait(deps, origin, userId, projectId, options))
}

async function deployAndWait(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { domain, mayMoveDomain }: { domain: string | undefined; mayMoveDomain: boolean }
): Promise<DeployResult> {
  const queued = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    const pointedBefore = await pointDomainHere(deps, trx, project, { hostname: domain, mayMoveDomain })
    const newest = await findNewestImage(trx, projectId)
    if (!newest)
      throw new AppError(
        'NOT_BUILT',
        'There is no image of this project yet; build it first: POST /api/projects/:id/build'
      )
    const locked = requireDeployment(await lockDeployment(trx, newest.id))
    const queued = await queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(locked) })
    const metadata = { deploymentId: queued.id, ...(domain === undefined ? {} : { domain }) }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'deployment.requested', ...entry })
    return { ...queued, pointedBefore }
  })
  await correctDeployedDomains(deps.db, deps.now(), [queued.pointedBefore])
  await waitForEnd(deps, queued)
  if (domain !== undefined) await recordDeployedDomain(deps, queued, userId, domain)
  const project = await findProject(deps.db, projectId)
  if (project?.containerId == null || project.internalPort === null || project.deployedDomain === null)
    throw containerGone()
  const { containerId, internalPort, deployedDomain, containerStatus } = project
  return {
    containerId,
    internalPort,
    deployedDomain,
    containerStatus: containerStatus ?? 'running'
  }
}

/** Queues a deployment of an image that is still kept. */
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
    // Locked, so that the clean-up does not take the image away in between.
    const locked = requireDeployment(await lockDeployment(trx, target.id))
    const queued = await queueDeployment(deps, trx, project, { trigger: 'ROLLBACK', ...imageOf(locked) })
    const metadata = { deploymentId: queued.id, to: deploymentId, commitHash: queued.commitHash }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'deployment.rollback_requested', ...entry })
    return queued
  })
  return deploymentView(row, undefined, undefined)
}

/**
 * Runs the live image again, for what a container only learns when it is made. Nothing where nothing is live or should run; one that waits
 * already will do it. The caller holds the project's lock.
 */
export async function redeployLiveImage(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  project: ProjectRow
): Promise<void> {
  if (project.liveDeploymentId === null || project.status === 'STOPPED') return
  if ((await countQueued(trx, project.id)) > 0) return
  const live = await findDeployment(trx, project.id, project.liveDeploymentId)
  if (live?.image == null || live.imageSpec === null) return
  await queueDeployment(deps, trx, project, { trigger: 'DEPLOY', ...imageOf(live) })
}

/** Cancels from every open state, up to the moment where the new container serves. */
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
    if (!cancelled) throw new AppError('DEPLOYMENT_FINISHED', 'This deployment has ended already')
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

async function waitForEnd(deps: Deps, queued: DeploymentRow): Promise<void> {
  const deadline = performance.now() + (deps.config.DEPLOY_START_TIMEOUT + 30) * 1000
  for (;;) {
    const row = await findDeployment(deps.db, queued.projectId, queued.id)
    if (row?.status === 'RUNNING') return
    if (!row || !openStatuses.some((status) => status === row.status)) throw await failure(deps, queued)
    if (performance.now() > deadline) {
      throw new AppError(
        'DEPLOYMENT_IN_PROGRESS',
        `The deployment goes on; follow it at /api/projects/${queued.projectId}/deployments/${queued.id}`
      )
    }
    await sleep(250)
  }
}

async function failure(deps: Pick<Deps, 'db'>, { id }: DeploymentRow): Promise<AppError> {
  const log = (await readLogs(deps.db, [id], listLogBytes)).get(id) ?? ''
  const reason = /^FAILED: (.+)$/m.exec(log)?.[1] ?? 'it was cancelled'
  return new AppError('DEPLOYMENT_FAILED', `The deployment failed: ${reason}. What served before still does.`)
}

/** The project is known by the domain that it was deployed for, until the domain leaves it or the next deployment has none. */
function recordDeployedDomain(
  deps: Pick<Deps, 'db' | 'now'>,
  { id, projectId }: DeploymentRow,
  userId: string,
  hostname: string
): Promise<void> {
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (project?.liveDeploymentId !== id) return
    if ((await findActiveDomain(trx, userId, hostname))?.projectId !== projectId) return
    await updateProject(trx, projectId, { deployedDomain: hostname }, deps.now())
  })
}

/**
 * The `domain` override: a verified domain of the caller points at this project from now on. Resolves with the project that it has
 * pointed at.
 */
async function pointDomainHere(
  deps: Pick<Deps, 'now'>,
  trx: Transaction,
  project: ProjectRow,
  { hostname, mayMoveDomain }: { hostname: string | undefined; mayMoveDomain: boolean }
): Promise<string | null> {
  if (hostname === undefined || (await listHostnames(trx, project.id)).includes(hostname)) return null
  const domain = await findActiveDomain(trx, project.userId, hostname)
  if (!domain) throw new AppError('DOMAIN_NOT_VERIFIED', `${hostname} is not a verified domain of yours`)
  if (domain.projectId === project.id) return null
  if (!mayMoveDomain)
    throw new AppError('FORBIDDEN', `Pointing ${hostname} at this project takes an API token with the scope full`)
  await updateDomain(trx, domain.id, { projectId: project.id }, deps.now())
  return domain.projectId
}

function imageOf(row: DeploymentRow): {
  image: string
  imageSpec: ImageSpec
  commitHash: string | null
  commitMsg: string | null
} {
  const { image, imageSpec, commitHash, commitMsg } = row
  if (image === null || imageSpec === null || row.status !== 'RUNNING')
    throw new AppError('IMAGE_NOT_KEPT', 'The image of this deployment is not kept; build again')
  return { image, imageSpec, commitHash, commitMsg }
}

function requireDeployment(row: DeploymentRow | undefined): DeploymentRow {
  if (!row) throw new AppError('NOT_FOUND', 'There is no such deployment of this project')
  return row
}

const containerGone = () => new AppError('CONTAINER_MISSING', 'The container was removed meanwhile')

/** Where `active` comes from; a deployment that was just queued or cancelled does not serve. */
type Live = Pick<ProjectRow, 'liveDeploymentId'> | undefined

async function withLog(deps: Pick<Deps, 'db'>, row: DeploymentRow, live: Live): Promise<Deployment> {
  return deploymentView(row, live, (await readLogs(deps.db, [row.id], logBytes)).get(row.id))
}

const withoutLog = (row: DeploymentRow, live: Live): Deployment => ({
  ...deploymentView(row, live, undefined),
  buildLogs: null
})

const removedNote =
  '[The log of this deployment was removed to make room: only the newest logs of a project, and so much of an account, are kept]\n'

function deploymentView(row: DeploymentRow, live: Live, log: string | undefined): Deployment {
  return {
    id: row.id,
    status: row.status,
    active: live?.liveDeploymentId === row.id,
    failure: row.failure && { ...row.failure, sentences: knownSentences(failureTexts, row.failure.sentences ?? []) },
    trigger: row.trigger,
    commitHash: row.commitHash,
    commitMsg: row.commitMsg,
    buildLogs: log ?? (row.logRemovedAt === null ? null : removedNote),
    duration: row.duration,
    canRollback: row.status === 'RUNNING' && row.image !== null,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString()
  }
}
