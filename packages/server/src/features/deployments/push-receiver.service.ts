import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { queueDeployment } from './deployments.service.ts'
import { findDeployment, type DeploymentRow } from './deployments.repository.ts'
import { findProject, lockProject } from '../projects/project-access.ts'
import { defaultBranch } from '../git/git.service.ts'
import {
  deliveryId,
  type Headers,
  parsePushBody,
  parsePushEvent,
  type Push,
  verifyPushSignature
} from './push-event.policy.ts'
import { findDelivered, insertDelivery } from './push-deliveries.repository.ts'

type PushOutcome =
  | { kind: 'pong' }
  | { kind: 'ignored'; reason: string }
  | { kind: 'accepted'; deployment: Pick<DeploymentRow, 'id' | 'status'> }

/** Whether a push to this project could be rightly signed at all. */
export async function expectsPushes(deps: Pick<Dependencies, 'db'>, projectId: string): Promise<boolean> {
  if (!Id.safeParse(projectId).success) return false
  const project = await findProject(deps.db, projectId)
  return project !== undefined && project.webhookSecret !== null
}

/** An unknown project, one without a secret and a wrong signature answer alike. */
export async function receivePush(
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'secretBox'>,
  origin: AuditOrigin,
  projectId: string,
  headers: Headers,
  rawBody: Buffer
): Promise<PushOutcome> {
  const project = await findProject(deps.db, projectId)
  const secret = project?.webhookSecret == null ? null : deps.secretBox.open(project.webhookSecret)
  if (!verifyPushSignature(secret, headers, rawBody) || !project)
    throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')

  const parsed = parsePushBody(headers, rawBody)
  if ('problem' in parsed) throw new AppError('VALIDATION_ERROR', parsed.problem)
  const event = parsePushEvent(headers, parsed.body)
  if (event.kind === 'ping') return { kind: 'pong' }
  if (event.kind === 'ignored') return event
  if (event.kind === 'invalid') throw new AppError('VALIDATION_ERROR', event.problem)

  const push = event.pushes.find((candidate) => candidate.branch === (project.branch ?? defaultBranch))
  if (!push) return { kind: 'ignored', reason: 'Branch mismatch' }
  return { kind: 'accepted', deployment: await queuePush(deps, origin, projectId, push, deliveryId(headers, rawBody)) }
}

/** The same delivery twice queues once: the second answers with the first's deployment. */
async function queuePush(
  deps: Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now'>,
  origin: AuditOrigin,
  projectId: string,
  push: Push,
  delivery: string
) {
  return deps.db.transaction(async (trx) => {
    const project = await lockProject(trx, projectId)
    if (!project) throw new AppError('SIGNATURE_INVALID', 'The signature is missing or wrong')
    const seen = await findDelivered(trx, projectId, delivery)
    const earlier = seen === undefined ? undefined : await findDeployment(trx, projectId, seen)
    if (earlier) return earlier
    const deployment = await queueDeployment(deps, trx, project, {
      trigger: 'WEBHOOK',
      commitHash: push.commitHash,
      commitMsg: push.message
    })
    await insertDelivery(trx, { projectId, deliveryId: delivery, deploymentId: deployment.id })
    await recordAudit(deps, trx, origin, {
      action: 'deployment.push_received',
      // Whoever has the secret acts for the owner, as with an API token, and the owner is to see it.
      actorId: project.userId,
      targetId: projectId,
      metadata: { by: 'webhook', deploymentId: deployment.id, branch: push.branch, commitHash: push.commitHash }
    })
    return deployment
  })
}
