import { setTimeout as sleep } from 'node:timers/promises'
import { type DeployResult, openStatuses } from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { correctDeployedDomains, findActiveDomain, updateDomain } from '../domains/domain-access.ts'
import { listHostnames } from '../domains/project-route-access.ts'
import { findProject, lockProject, ownedBy, type ProjectRow, updateProject } from '../projects/project-access.ts'
import {
  type DeploymentRow,
  findDeployment,
  findLatestImage,
  lockDeployment,
  readLogs
} from './deployments.repository.ts'
import { imageOf, queueDeployment, requireDeployment } from './deployments.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'jobs' | 'now'>

const listLogBytes = 16 * 1024

// Each polls the database four times a second; a script that deploys all sites of an agency runs about twenty at once.
const waitLimit = createConcurrencyLimit({ total: 100, perKey: 20, what: 'deployments with a waiting client' })

export function deployLatestImage(
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
    const latest = await findLatestImage(trx, projectId)
    if (!latest) throw new AppError('NOT_BUILT', 'This project has no image yet. Build it first.')
    const locked = requireDeployment(await lockDeployment(trx, latest.id))
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

async function waitForEnd(deps: Deps, queued: DeploymentRow): Promise<void> {
  const deadline = performance.now() + (deps.config.DEPLOY_START_TIMEOUT + 30) * 1000
  for (;;) {
    const row = await findDeployment(deps.db, queued.projectId, queued.id)
    if (row?.status === 'RUNNING') return
    if (!row || !openStatuses.some((status) => status === row.status)) throw await failure(deps, queued)
    if (performance.now() > deadline) {
      throw new AppError(
        'DEPLOYMENT_IN_PROGRESS',
        'The deployment is still running. Follow it in the deployments of the project.'
      )
    }
    await sleep(250)
  }
}

async function failure(deps: Pick<Deps, 'db'>, { id }: DeploymentRow): Promise<AppError> {
  const log = (await readLogs(deps.db, [id], listLogBytes)).get(id) ?? ''
  const reason = /^FAILED: (.+)$/m.exec(log)?.[1] ?? 'it was cancelled'
  return new AppError('DEPLOYMENT_FAILED', `The deployment failed: ${reason}. The previous release is still live.`)
}

/** The domain is shown as the project's address until it is pointed elsewhere or the next deployment has none. */
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

/** Resolves with the id of the project that the domain pointed at before. */
async function pointDomainHere(
  deps: Pick<Deps, 'now'>,
  trx: Transaction,
  project: ProjectRow,
  { hostname, mayMoveDomain }: { hostname: string | undefined; mayMoveDomain: boolean }
): Promise<string | null> {
  if (hostname === undefined || (await listHostnames(trx, project.id)).includes(hostname)) return null
  const domain = await findActiveDomain(trx, project.userId, hostname)
  if (!domain)
    throw new AppError(
      'DOMAIN_NOT_VERIFIED',
      `${hostname} is not a verified domain of your account. Add and verify it first.`
    )
  if (domain.projectId === project.id) return null
  if (!mayMoveDomain)
    throw new AppError('FORBIDDEN', `To point ${hostname} at this project, use an API token with the scope full.`)
  await updateDomain(trx, domain.id, { projectId: project.id }, deps.now())
  return domain.projectId
}

const containerGone = () =>
  new AppError('CONTAINER_MISSING', 'The container was removed in the meantime. Redeploy the project.')
