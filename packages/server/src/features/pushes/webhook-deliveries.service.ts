import { pagination } from '@panel/contract/common'
import type { Deployment } from '@panel/contract/deployments'
import type { WebhookDelivery, WebhookDeliveryList, WebhookDeliveryQuery } from '@panel/contract/webhook-deliveries'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { deploymentView } from '../deployments/deployment-view.ts'
import { queueDeployment, requireRepository } from '../deployments/deployments.service.ts'
import { defaultBranch } from '../git/git.service.ts'
import { getOwnProject, lockProject, ownedBy, type ProjectRow } from '../projects/project-access.ts'
import { reasonSentences } from './delivery-reason.policy.ts'
import {
  findUnsigned,
  findWebhookDelivery,
  insertWebhookDelivery,
  listWebhookDeliveries,
  setReplay,
  type WebhookDeliveryRow
} from './webhook-deliveries.repository.ts'

type NewDelivery = Pick<WebhookDeliveryRow, 'projectId' | 'provider' | 'event' | 'verdict'> &
  Partial<WebhookDeliveryRow>

export function recordDelivery(
  { now }: Pick<Dependencies, 'now'>,
  db: Queryable,
  delivery: Omit<NewDelivery, 'id' | 'createdAt'>
): Promise<void> {
  const createdAt = now()
  return insertWebhookDelivery(db, { ...delivery, id: newId(createdAt.getTime()), createdAt })
}

export async function listOwnDeliveries(
  deps: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string,
  query: WebhookDeliveryQuery
): Promise<WebhookDeliveryList> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const [{ rows, total }, unsigned] = await Promise.all([
    listWebhookDeliveries(deps.db, projectId, query),
    findUnsigned(deps.db, projectId)
  ])
  return {
    deliveries: rows.map((row) => deliveryView(row, project)),
    unsigned: { count: unsigned?.count ?? 0, latestAt: unsigned?.latestAt.toISOString() ?? null },
    pagination: pagination(query.page, query.limit, total)
  }
}

export async function getOwnDelivery(
  deps: Pick<Dependencies, 'db'>,
  userId: string,
  projectId: string,
  deliveryId: string
): Promise<WebhookDeliveryRow> {
  await getOwnProject(deps.db, projectId, userId)
  return requireDelivery(await findWebhookDelivery(deps.db, projectId, deliveryId))
}

function requireDelivery(row: WebhookDeliveryRow | undefined): WebhookDeliveryRow {
  if (!row) throw new AppError('NOT_FOUND', 'Delivery not found')
  return row
}

/** Queues the commit of the delivery, whatever the rules of the project say now. */
export async function replayDelivery(
  deps: Pick<Dependencies, 'config' | 'db' | 'features' | 'jobs' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  deliveryId: string
): Promise<Deployment> {
  const row = await deps.db.transaction(async (trx) => {
    const project = ownedBy(await lockProject(trx, projectId), userId)
    const delivery = requireDelivery(await findWebhookDelivery(trx, projectId, deliveryId))
    requireRepository(deps, project)
    if (!isReplayable(delivery, project))
      throw new AppError('CONFLICT', 'This delivery has no commit of the branch of the project.')
    const { commitHash, commitMsg } = delivery
    const queued = await queueDeployment(deps, trx, project, { trigger: 'WEBHOOK', commitHash, commitMsg })
    await setReplay(trx, delivery.id, queued.id)
    await recordAudit(deps, trx, origin, {
      action: 'deployment.push_replayed',
      actorId: userId,
      targetId: projectId,
      metadata: { deploymentId: queued.id, deliveryId, commitHash }
    })
    return queued
  })
  return deploymentView(row, undefined, undefined)
}

/** Builds only take commits of the branch; whether a tag is on it shows when it is fetched. */
const isReplayable = (
  { ref, commitHash }: Pick<WebhookDeliveryRow, 'commitHash' | 'ref'>,
  project: Pick<ProjectRow, 'branch' | 'gitUrl'>
): boolean =>
  project.gitUrl !== null &&
  commitHash !== null &&
  ref !== null &&
  (ref.kind === 'tag' || ref.name === (project.branch ?? defaultBranch))

const deliveryView = (row: WebhookDeliveryRow, project: ProjectRow): WebhookDelivery => ({
  id: row.id,
  provider: row.provider,
  event: row.event,
  verdict: row.verdict,
  reason: row.reason,
  sentences: reasonSentences(row.reason),
  ref: row.ref,
  commitHash: row.commitHash,
  commitMsg: row.commitMsg,
  deploymentId: row.deploymentId,
  replayable: isReplayable(row, project),
  createdAt: row.createdAt.toISOString()
})
