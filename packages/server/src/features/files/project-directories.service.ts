import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import {
  findDirectory,
  listOwnDirectories,
  listOutdatedDirectoryOwners,
  setDirectoryName
} from './project-directories.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostHelper'>

// What was read before a change must not reach the disk after it. Whoever gives up leaves it to the reconcile loop.
const lock = {
  waitMs: 30_000,
  ifHeld: () => {
    throw new Error('another process has been at work on these directories for too long')
  }
}

/** Gives the directories of a user's projects the names that the projects have. Those that have them already cost one query. */
export const syncProjectDirectories = workerVerb('files.syncDirectories', [Id], syncProjectDirectoriesHere)

async function syncProjectDirectoriesHere(deps: Deps, userId: string): Promise<void> {
  await withLock(deps.db, `project-directories:${userId}`, lock, async () => {
    const mine = await listOwnDirectories(deps.db, userId)
    const outdated = mine.filter((project) => project.filesName !== project.name)
    if (outdated.length === 0) return
    await deps.hostHelper.syncProjects(
      mine[0]!.uid,
      mine.map(({ id, name }) => ({ id, name }))
    )
    for (const { id, name } of outdated) await setDirectoryName(deps.db, id, name)
  })
}

/** After a commit: what it could not do, the reconcile loop does. */
async function trySyncProjectDirectories(deps: Deps & Pick<Dependencies, 'logger'>, userId: string): Promise<void> {
  try {
    await syncProjectDirectories(deps, userId)
  } catch (error) {
    deps.logger.warn({ userId, error: messageOf(error) }, 'project directories lag behind')
  }
}

/** Of a project that is deleted. */
export async function removeProjectDirectory(deps: Pick<Deps, 'db' | 'hostHelper'>, projectId: string): Promise<void> {
  const project = await findDirectory(deps.db, projectId)
  if (!project || project.filesName === null) return
  await deps.hostHelper.removeProject(project.uid, projectId)
}

const ownersPerRound = 50

/** Brings the names of directories that lag behind up to date, a few accounts in a round. */
export async function reconcileDirectories(deps: Deps & Pick<Dependencies, 'logger'>): Promise<'again' | 'done'> {
  const owners = await listOutdatedDirectoryOwners(deps.db, ownersPerRound)
  for (const userId of owners) await trySyncProjectDirectories(deps, userId)
  return owners.length > 0 ? 'again' : 'done'
}
