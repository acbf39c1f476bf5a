import { openWebhookSecret } from '../projects/webhook-secret.service.ts'
import { Id } from '@panel/contract/common'
import { defaultDeployRules } from '@panel/contract/projects'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { type DeploymentRow, findDeployment } from '../deployments/deployment-access.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { findProject, lockProject, type ProjectRow } from '../projects/project-access.ts'
import { defaultBranch } from '../git/git.service.ts'
import { createFairQueue } from '../../concurrency/fair-queue.ts'
import { readPushDelivery } from './delivery-reading.service.ts'
import type { Headers, Push } from './push-event.policy.ts'
import { evaluatePushRules } from './push-rules.service.ts'
import { findDelivered, insertDelivery } from './push-deliveries.repository.ts'

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
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>,
  origin: AuditOrigin,
  projectId: string,
  delivery: { headers: Headers; rawBody: Buffer; from: string }
): Promise<PushOutcome> {
  const project = await findProject(deps.db, projectId)
  const key = project?.userId ?? delivery.from
  return queue.run(key, () => receive(deps, origin, projectId, project, { ...delivery, key }))
}

async function receive(
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>,
  origin: AuditOrigin,
  projectId: string,
  project: ProjectRow | undefined,
  { headers, rawBody, key }: { headers: Headers; rawBody: Buffer; key: string }
): Promise<PushOutcome> {
  const secret = project?.webhookSecret == null ? null : await openWebhookSecret(deps, project.id)
  const read = await readPushDelivery(key, { secret, headers, rawBody })
  if (read.kind === 'unsigned' || !project) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')

  const { event, deliveryId } = read
  if (event.kind === 'ping') return { kind: 'pong' }
  if (event.kind === 'ignored') return event
  if (event.kind === 'invalid') throw new AppError('VALIDATION_ERROR', event.problem)

  const rules = { rules: project.deployRules ?? defaultDeployRules, branch: project.branch ?? defaultBranch }
  const decision = await evaluatePushRules(key, rules, event.pushes)
  if (decision.kind === 'ignored') return decision
  return { kind: 'accepted', deployment: await queuePush(deps, origin, projectId, decision.push, deliveryId) }
}

/** Idempotent: a repeated delivery returns the deployment of the first. */
async function queuePush(
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>,
  origin: AuditOrigin,
  projectId: string,
  push: Push,
  delivery: string
) {
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project) throw new AppError('SIGNATURE_INVALID', 'Missing or invalid signature')
    const knownDeploymentId = await findDelivered(trx, projectId, delivery)
    const earlier =
      knownDeploymentId === undefined ? undefined : await findDeployment(trx, projectId, knownDeploymentId)
    if (earlier) return earlier
    const deployment = await queueDeployment(deps, trx, project, {
      trigger: 'WEBHOOK',
      commitHash: push.commitHash,
      commitMsg: push.commitMsg
    })
    await insertDelivery(trx, { projectId, deliveryId: delivery, deploymentId: deployment.id })
    await recordAudit(deps, trx, origin, {
      action: 'deployment.push_received',
      // A holder of the secret acts for the owner, like an API token; the entry shows up in the owner's audit log.
      actorId: project.userId,
      targetId: projectId,
      metadata: {
        by: 'webhook',
        deploymentId: deployment.id,
        [push.ref.kind]: push.ref.name,
        commitHash: push.commitHash
      }
    })
    return deployment
  })
}
