import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { adaptersOn } from '../nodes/on-machine.service.ts'
import {
  findDirectory,
  listOwnDirectories,
  listOutdatedDirectoryOwners,
  setDirectoryName
} from './project-directories.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

// Prevents stale names from being written after a newer change. If it times out, the reconciler takes over.
const lock = {
  waitMs: 30_000,
  ifHeld: () => {
    throw new Error('Timed out waiting for the lock on the project directories')
  }
}

/** Renames the directories of a user's projects on each machine to match the projects. Two queries if nothing changed. */
export const syncProjectDirectories = workerVerb('files.syncDirectories', [Id], syncProjectDirectoriesHere)

async function syncProjectDirectoriesHere(deps: Deps, userId: string): Promise<void> {
  await withLock(deps.db, `project-directories:${userId}`, lock, async () => {
    const mine = await listOwnDirectories(deps.db, userId)
    const outdated = mine.filter((project) => project.filesName !== project.name)
    const syncNode = async (nodeId: string) => {
      const isThere = (project: { nodeId: string }) => project.nodeId === nodeId
      const { hostHelper } = await adaptersOn(deps, nodeId)
      await hostHelper.syncProjects(
        mine[0]!.uid,
        mine.filter(isThere).map(({ id, name }) => ({ id, name }))
      )
      for (const { id, name } of outdated.filter(isThere)) await setDirectoryName(deps.db, id, name)
    }
    const syncs = [...new Set(outdated.map((project) => project.nodeId))].map(syncNode)
    await Promise.allSettled(syncs) // One machine that does not respond must not stop the others.
    await Promise.all(syncs)
  })
}

/** For use after a commit; the reconciler retries failures. */
async function trySyncProjectDirectories(deps: Deps & Pick<Dependencies, 'logger'>, userId: string): Promise<void> {
  try {
    await syncProjectDirectories(deps, userId)
  } catch (error) {
    deps.logger.warn({ userId, error: messageOf(error) }, 'Could not sync project directories')
  }
}

export async function removeProjectDirectory(deps: Pick<Deps, 'db' | 'nodes'>, projectId: string): Promise<void> {
  const project = await findDirectory(deps.db, projectId)
  if (!project || project.filesName === null) return
  const { hostHelper } = await adaptersOn(deps, project.nodeId)
  await hostHelper.removeProject(project.uid, projectId)
}

const ownersPerRound = 50

export async function reconcileDirectories(deps: Deps & Pick<Dependencies, 'logger'>): Promise<'again' | 'done'> {
  const owners = await listOutdatedDirectoryOwners(deps.db, ownersPerRound)
  for (const userId of owners) await trySyncProjectDirectories(deps, userId)
  return owners.length > 0 ? 'again' : 'done'
}
