import { createHash, randomBytes } from 'node:crypto'
import type { NewDeployHook } from '@panel/contract/git'
import type { Dependencies } from '../../dependencies.ts'
import { createFairQueue } from '../../concurrency/fair-queue.ts'
import { AppError } from '../../errors.ts'
import { sameSecret } from '../../http/same-secret.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import type { DeploymentRow } from '../deployments/deployment-access.ts'
import { queueDeployment, requireRepository } from '../deployments/deployments.service.ts'
import { findProject, getOwnProject, lockProject, ownedBy, updateProject } from '../projects/project-access.ts'
import type { UnsignedCounter } from './unsigned-counter.ts'
import { recordDelivery } from './webhook-deliveries.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'features' | 'jobs' | 'now'>

export async function getDeployHook(
  deps: Pick<Deps, 'db'>,
  userId: string,
  projectId: string
): Promise<{ createdAt: string | null }> {
  const { deployHookCreatedAt } = await getOwnProject(deps.db, projectId, userId)
  return { createdAt: deployHookCreatedAt?.toISOString() ?? null }
}

/** Replaces an existing one. */
export async function createDeployHook(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string
): Promise<NewDeployHook> {
  const secret = randomBytes(32).toString('base64url')
  const now = deps.now()
  await deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    await updateProject(trx, projectId, { deployHookHash: hashOf(secret), deployHookCreatedAt: now }, now)
    await recordAudit(deps, trx, origin, { action: 'git.deploy_hook_created', actorId: userId, targetId: projectId })
  })
  const url = `${deps.config.API_BASE_URL}/api/webhooks/deploy/${projectId}?secret=${secret}`
  return { url, createdAt: now.toISOString() }
}

export async function removeDeployHook(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    if (project.deployHookHash === null) return
    await updateProject(trx, projectId, { deployHookHash: null, deployHookCreatedAt: null }, deps.now())
    await recordAudit(deps, trx, origin, { action: 'git.deploy_hook_removed', actorId: userId, targetId: projectId })
  })
}

const queue = createFairQueue({ total: 8, perKey: 2, waiting: 60 }, 'calls of deploy hooks')

interface HookCall {
  projectId: string
  secret: string
  /** Queue key of calls for unknown projects. */
  from: string
  unsigned: UnsignedCounter
}

/** An unknown project, a project without a hook and a wrong secret get the same answer. */
export async function callDeployHook(
  deps: Deps,
  origin: AuditOrigin,
  { projectId, secret, from, unsigned }: HookCall
): Promise<DeploymentRow> {
  const project = await findProject(deps.db, projectId)
  return queue.run(project?.userId ?? from, async () => {
    if (!isSecretOf(project?.deployHookHash, secret)) {
      if (project && project.deployHookHash !== null) unsigned.add(project.id)
      throw secretInvalid()
    }
    const entry = { projectId, provider: 'DEPLOY_HOOK', event: 'deploy' } as const
    try {
      return await queueHead(deps, origin, entry, secret)
    } catch (error) {
      if (error instanceof AppError && error.code !== 'SIGNATURE_INVALID')
        await recordDelivery(deps, deps.db, { ...entry, verdict: 'REFUSED', reason: error.message })
      throw error
    }
  })
}

async function queueHead(
  deps: Deps,
  origin: AuditOrigin,
  entry: { projectId: string; provider: 'DEPLOY_HOOK'; event: string },
  secret: string
): Promise<DeploymentRow> {
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, entry.projectId)
    // The secret may have been rotated since.
    if (!project || !isSecretOf(project.deployHookHash, secret)) throw secretInvalid()
    requireRepository(deps, project)
    const deployment = await queueDeployment(deps, trx, project, { trigger: 'WEBHOOK' })
    await recordDelivery(deps, trx, { ...entry, verdict: 'ACCEPTED', deploymentId: deployment.id })
    await recordAudit(deps, trx, origin, {
      action: 'deployment.hook_called',
      // A holder of the secret acts for the owner, like an API token.
      actorId: project.userId,
      targetId: project.id,
      metadata: { by: 'deploy hook', deploymentId: deployment.id }
    })
    return deployment
  })
}

/** The same work with and without a hook, so that timing does not reveal whether there is one. */
const isSecretOf = (hash: string | null | undefined, secret: string): boolean =>
  sameSecret(hash ?? 'no secret', hashOf(secret))

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const secretInvalid = () => new AppError('SIGNATURE_INVALID', 'Missing or invalid secret')
