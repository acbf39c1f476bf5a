import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import type { Transaction } from '../../db/database.ts'
import { OutboundFailure } from '../../infra/outbound-http/outbound-http.ts'
import { panelUrl } from '../../net/panel-url.ts'
import { type DeploymentRow, findDeploymentById } from '../deployments/deployment-access.ts'
import { parseAcceptedGitUrl } from '../projects/accepted-git-url.policy.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { type CommitStatusRow, findCommitStatus, recordAttempt } from './commit-statuses.repository.ts'
import { statusProviders, statusRequest } from './status-request.render.ts'
import { type Outcome, outcomeOf, pauseAfter, stateOf } from './status.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'now' | 'outboundHttp' | 'secretBox'>

export const sendStatusJob = z.object({ deploymentId: z.string(), attempts: z.int() })

/** In the transaction that changes the deployment. */
export async function enqueueStatus(
  deps: Pick<Deps, 'jobs'>,
  trx: Transaction,
  { id, projectId, userId, commitHash }: DeploymentRow
): Promise<void> {
  if (commitHash === null || !(await findCommitStatus(trx, projectId))) return
  await deps.jobs.enqueue(trx, 'commit-status.send', { deploymentId: id, attempts: 1 }, { key: id, account: userId })
}

/** Sends what the deployment is now, so that a late or repeated job cannot report an older state. */
export async function sendStatus(deps: Deps, { deploymentId, attempts }: z.infer<typeof sendStatusJob>): Promise<void> {
  const deployment = await findDeploymentById(deps.db, deploymentId)
  const settings = deployment && (await findCommitStatus(deps.db, deployment.projectId))
  const project = deployment && (await findProject(deps.db, deployment.projectId))
  if (!settings || !project || deployment.commitHash === null) return
  const { commitHash } = deployment
  const outcome = await send(deps, settings, project, { ...deployment, commitHash })
  await deps.db.transaction(async (trx) => {
    const pause = outcome.problem === null || outcome.isFinal ? undefined : pauseAfter(attempts)
    await recordAttempt(trx, project.id, {
      lastState: stateOf[deployment.status],
      lastCommitHash: commitHash,
      lastDeploymentId: deploymentId,
      lastOutcome: outcome.problem === null ? 'SENT' : pause === undefined ? 'FAILED' : 'RETRYING',
      lastProblem: outcome.problem,
      lastAt: deps.now()
    })
    const current = await findDeploymentById(trx, deploymentId)
    // Another job may have sent the newer state before this one sent the older.
    if (current && stateOf[current.status] !== stateOf[deployment.status]) await enqueueStatus(deps, trx, current)
    else if (pause !== undefined)
      await deps.jobs.enqueue(
        trx,
        'commit-status.send',
        { deploymentId, attempts: attempts + 1 },
        { key: deploymentId, account: deployment.userId, startAfterSeconds: pause }
      )
  })
}

async function send(
  deps: Deps,
  { provider, apiUrl, token }: CommitStatusRow,
  project: ProjectRow,
  deployment: DeploymentRow & { commitHash: string }
): Promise<Outcome> {
  if (project.gitUrl === null) return { problem: { code: 'NO_REPOSITORY' }, isFinal: true }
  const { path } = parseAcceptedGitUrl(deps.config, project.gitUrl)
  const request = statusRequest(provider, {
    apiUrl,
    token: deps.secretBox.open(token),
    repository: path.replace(/\.git$/, ''),
    commitHash: deployment.commitHash,
    state: stateOf[deployment.status],
    targetUrl: `${panelUrl(deps.config)}/projects/${project.id}/deployments?d=${deployment.id}`
  })
  try {
    const { status, text } = await deps.outboundHttp.post(request)
    return statusProviders[provider].isDone?.(status, text) ? outcomeOf(200) : outcomeOf(status)
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { problem: { code: 'NOT_SENT', values: { reason: error.message } }, isFinal: error.isFinal }
  }
}
