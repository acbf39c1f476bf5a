import { Id } from '@panel/contract/common'
import type { DeploymentChanges } from '@panel/contract/deployments'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type WorkerCall, workerVerb } from '../../worker/worker-verb.ts'
import { defaultBranch, remoteOf } from '../git/git.service.ts'
import { withTemporaryRepository } from '../git/workspace.service.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { getDeploymentOf } from './deployment-log-reading.service.ts'
import { findServedBefore } from './deployments.repository.ts'

// A separate limit, so that slow Git servers block neither connecting a repository nor other requests for changes.
const changesLimit = createConcurrencyLimit({ total: 8, perKey: 1, what: 'requests for changes' })

type Deps = Pick<Dependencies, 'config' | 'db' | 'git' | 'now'>

/** The project's repository has only the latest commit, so the commits are fetched for the answer. */
export const listChanges = workerVerb('deployments.changes', [Id, Id, Id], listChangesHere)

async function listChangesHere(
  deps: Deps,
  userId: string,
  projectId: string,
  deploymentId: string,
  { signal }: WorkerCall = {}
): Promise<DeploymentChanges> {
  const project = await getOwnProject(deps.db, projectId, userId)
  const row = await getDeploymentOf(deps.db, projectId, deploymentId)
  const before = await findServedBefore(deps.db, row)
  if (before?.commitHash == null || row.commitHash === null) return { base: null, commits: [], complete: false }
  const base = { deploymentId: before.id, commitHash: before.commitHash }
  if (base.commitHash === row.commitHash) return { base, commits: [], complete: true }
  if (project.gitUrl === null) return { base, commits: [], complete: false }
  const remote = remoteOf(deps, project.gitUrl, project.sshPrivateKeyPath)
  const range = { branch: project.branch ?? defaultBranch, from: base.commitHash, to: row.commitHash }
  const { commits, isComplete } = await changesLimit.run(userId, () =>
    withTemporaryRepository(deps, (directory) =>
      deps.git.listCommits(directory, remote, range, signal === undefined ? {} : { signal })
    )
  )
  return { base, commits: commits.map((commit) => ({ ...commit, at: commit.at.toISOString() })), complete: isComplete }
}
