import { openWebhookSecret } from '../projects/webhook-secret.service.ts'
import { Id } from '@panel/contract/common'
import { defaultDeployRules } from '@panel/contract/deploy-rules'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { type DeploymentRow, findDeployment } from '../deployments/deployment-access.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { findProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { defaultBranch } from '../git/git.service.ts'
import { createFairQueue } from '../../concurrency/fair-queue.ts'
import { deliveryReason } from './delivery-reason.policy.ts'
import { readPushDelivery } from './delivery-reading.service.ts'
import type { DeliverySource, Headers, Push } from './push-event.policy.ts'
import type { UnsignedCounter } from './unsigned-counter.ts'
import { recordDelivery } from './webhook-deliveries.service.ts'
import { evaluatePushRules } from './push-rules.service.ts'
import { findDelivered, insertDelivery } from './push-deliveries.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>

interface Delivery {
  headers: Headers
  rawBody: Buffer
  /** Queue key of deliveries for unknown projects. */
  from: string
  unsigned: UnsignedCounter
}

type PushOutcome =
  | { kind: 'pong' }
  | { kind: 'ignored'; reason: string }
  | { kind: 'accepted'; deployment: Pick<DeploymentRow, 'id' | 'status'> }

/** The owner of the project; undefined if no delivery for this id could have a valid signature. */
export async function findReceiver(deps: Pick<Dependencies, 'db'>, projectId: string): Promise<string | undefined> {
  if (!Id.safeParse(projectId).success) return undefined
  const project = await findProject(deps.db, projectId)
  return project === undefined || project.webhookSecret === null ? undefined : project.userId
}

/** Providers do not retry, so the queue holds more per account than any provider sends at once. */
const queue = createFairQueue({ total: 8, perKey: 2, waiting: 60 }, 'deliveries')

/** An unknown project, a project without a secret and a wrong signature get the same answer. */
export async function receivePush(
  deps: Deps,
  origin: AuditOrigin,
  projectId: string,
  delivery: Delivery
): Promise<PushOutcome> {
  const project = await findProject(deps.db, projectId)
  const key = project?.userId ?? delivery.from
  return queue.run(key, () => receive(deps, origin, projectId, project, { ...delivery, key }))
}

async function receive(
  deps: Deps,
  origin: AuditOrigin,
  projectId: string,
  project: ProjectRow | undefined,
  { headers, rawBody, key, unsigned }: Omit<Delivery, 'from'> & { key: string }
): Promise<PushOutcome> {
  const secret = project?.webhookSecret == null ? null : await openWebhookSecret(deps, project.id)
  const read = await readPushDelivery(key, { secret, headers, rawBody })
  if (read.kind === 'unsigned' || !project) {
    if (project && secret !== null) unsigned.add(project.id)
    throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')
  }
  const { event, source, deliveryId } = read
  const known = { projectId, ...source }
  let pushed: PushedCommit | undefined
  const ignore = async (reason: string): Promise<PushOutcome> => {
    await recordDelivery(deps, deps.db, { ...known, ...pushed, verdict: 'IGNORED', reason })
    return { kind: 'ignored', reason }
  }
  try {
    if (event.kind === 'invalid') throw new AppError('VALIDATION_ERROR', event.problem)
    if (event.kind === 'ignored') return await ignore(event.reason)
    if (event.kind === 'ping') {
      await recordDelivery(deps, deps.db, { ...known, verdict: 'ACCEPTED' })
      return { kind: 'pong' }
    }
    pushed = withoutFiles(event.pushes[0])
    const rules = { rules: project.deployRules ?? defaultDeployRules, branch: project.branch ?? defaultBranch }
    const decision = await evaluatePushRules(key, rules, event.pushes)
    pushed = withoutFiles(decision.push)
    if (decision.kind === 'ignored') return await ignore(decision.reason)
    if (project.source === 'FILES') return await ignore(deliveryReason('SERVED_FROM_FILES'))
    return { kind: 'accepted', deployment: await queuePush(deps, origin, { ...known, ...pushed }, deliveryId) }
  } catch (error) {
    if (error instanceof AppError)
      await recordDelivery(deps, deps.db, { ...known, ...pushed, verdict: 'REFUSED', reason: error.message })
    throw error
  }
}

type PushedCommit = Omit<Push, 'files'>

const withoutFiles = ({ files: _, ...push }: Push): PushedCommit => push

/** Idempotent: a repeated delivery returns the deployment of the first. */
async function queuePush(
  deps: Deps,
  origin: AuditOrigin,
  push: DeliverySource & PushedCommit & { projectId: string },
  deliveryId: string
) {
  const { projectId, ref, commitHash, commitMsg } = push
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')
    const knownDeploymentId = await findDelivered(trx, projectId, deliveryId)
    const earlier =
      knownDeploymentId === undefined ? undefined : await findDeployment(trx, projectId, knownDeploymentId)
    const entry = { ...push, verdict: 'ACCEPTED' } as const
    if (earlier) {
      await recordDelivery(deps, trx, { ...entry, reason: deliveryReason('REPEATED'), deploymentId: earlier.id })
      return earlier
    }
    const deployment = await queueDeployment(deps, trx, project, { trigger: 'WEBHOOK', commitHash, commitMsg })
    await insertDelivery(trx, { projectId, deliveryId, deploymentId: deployment.id })
    await recordDelivery(deps, trx, { ...entry, deploymentId: deployment.id })
    await recordAudit(deps, trx, origin, {
      action: 'deployment.push_received',
      // A holder of the secret acts for the owner, like an API token; the entry shows up in the owner's audit log.
      actorId: project.userId,
      targetId: projectId,
      metadata: { by: 'webhook', deploymentId: deployment.id, [ref.kind]: ref.name, commitHash }
    })
    return deployment
  })
}
