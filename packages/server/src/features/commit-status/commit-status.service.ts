import { Id } from '@panel/contract/common'
import { type CommitStatus, commitStatusTexts, SetCommitStatus } from '@panel/contract/commit-status'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { parseAcceptedGitUrl } from '../projects/accepted-git-url.policy.ts'
import { getOwnProject, lockProject, ownedBy } from '../projects/project-access.ts'
import {
  type CommitStatusRow,
  deleteCommitStatus,
  findCommitStatus,
  saveCommitStatus
} from './commit-statuses.repository.ts'
import { statusProviders } from './status-request.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now' | 'secretBox'>

export async function getCommitStatus(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  projectId: string
): Promise<CommitStatus> {
  await getOwnProject(db, projectId, userId)
  return viewOf(await findCommitStatus(db, projectId))
}

/** Replaces the settings. Rejects with GIT_NOT_CONNECTED if the project has no repository. */
export const setCommitStatus = workerVerb('commitStatus.set', [Origin, Id, Id, SetCommitStatus], setHere)

async function setHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  projectId: string,
  { provider, token, apiUrl }: SetCommitStatus
): Promise<CommitStatus> {
  return deps.db.transaction(async (trx) => {
    const { gitUrl } = ownedBy(await lockProject(trx, projectId), userId)
    if (gitUrl === null) throw new AppError('GIT_NOT_CONNECTED', 'No Git repository is connected. Connect one first.')
    const { host } = parseAcceptedGitUrl(deps.config, gitUrl)
    const row = await saveCommitStatus(trx, {
      projectId,
      provider,
      apiUrl: (apiUrl ?? statusProviders[provider].apiOf(host)).replace(/\/+$/, ''),
      token: deps.secretBox.seal(token),
      updatedAt: deps.now()
    })
    const metadata = { provider, apiUrl: row.apiUrl }
    const entry = { actorId: userId, targetId: projectId, metadata }
    await recordAudit(deps, trx, origin, { action: 'git.commit_status_set', ...entry })
    return viewOf(row)
  })
}

export async function removeCommitStatus(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  projectId: string
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    ownedBy(await lockProject(trx, projectId), userId)
    if (!(await deleteCommitStatus(trx, projectId))) return
    await recordAudit(deps, trx, origin, { action: 'git.commit_status_removed', actorId: userId, targetId: projectId })
  })
}

/** Without the token. */
function viewOf(row: CommitStatusRow | undefined): CommitStatus {
  if (!row) return { provider: null, apiUrl: null, last: null }
  const { provider, apiUrl, lastState, lastCommitHash, lastDeploymentId, lastOutcome, lastProblem, lastAt } = row
  const isSent = lastState !== null && lastCommitHash !== null && lastDeploymentId !== null && lastOutcome !== null
  const sentences = lastProblem === null ? [] : [lastProblem]
  return {
    provider,
    apiUrl,
    last:
      isSent && lastAt !== null
        ? {
            state: lastState,
            commitHash: lastCommitHash,
            deploymentId: lastDeploymentId,
            outcome: lastOutcome,
            reason: lastProblem === null ? null : sentenceText(commitStatusTexts, sentences),
            sentences,
            at: lastAt.toISOString()
          }
        : null
  }
}
