import type { DeploymentFailure } from '@panel/contract/deployments'
import type { NotificationCode } from '@panel/contract/notification-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { deploymentChanged } from '../hooks.ts'
import { notify } from '../notifications/notify-access.ts'
import { findProject } from '../projects/project-access.ts'
import { type DeploymentRow, findOutcomeBefore } from './deployments.repository.ts'

type Failure = Pick<DeploymentFailure, 'reason' | 'sentences'>

/** In the transaction that ends a deployment: tells other features, and notifies of a failure and of the first success after one. */
export async function notifyOutcome(
  deps: Pick<Dependencies, 'events' | 'features' | 'jobs' | 'now'>,
  trx: Transaction,
  deployment: DeploymentRow,
  failure?: Failure
): Promise<void> {
  await deploymentChanged(deps, trx, deployment)
  const hasFailed = deployment.status === 'FAILED'
  if (!hasFailed && (await findOutcomeBefore(trx, deployment)) !== 'FAILED') return
  const project = await findProject(trx, deployment.projectId)
  if (!project) return
  await notify(deps, trx, {
    userId: project.userId,
    kind: hasFailed ? 'deployment-failed' : 'deployment-recovered',
    subject: { type: 'project', id: project.id, name: project.name },
    text: hasFailed
      ? [...failureSentences(project.name, failure), { code: 'STILL_SERVES' }]
      : [{ code: 'DEPLOYMENT_RECOVERED', values: { project: project.name } }],
    link: `/projects/${project.id}/deployments?d=${deployment.id}`
  })
}

function failureSentences(project: string, failure: Failure | undefined): Sentence<NotificationCode>[] {
  if (failure === undefined) return [{ code: 'DEPLOYMENT_FAILED_SEE_LOG', values: { project } }]
  const { reason, sentences } = failure
  return sentences.length === 0
    ? [{ code: 'DEPLOYMENT_FAILED', values: { project, reason } }]
    : [{ code: 'DEPLOYMENT_FAILED_BECAUSE', values: { project } }, ...sentences]
}
