import { join } from 'node:path'
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Config } from '../../config.ts'
import { withLock } from '../../db/lock.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../errors.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'hostHelper'>

/** Where every project is found by its id: all of the host that a container can have lies directly below. */
export const projectDirectories = (config: Pick<Config, 'PROJECTS_DIR'>): string => join(config.PROJECTS_DIR, 'by-id')

/** Found by the id, whatever the project's name is: where the file manager and the container engine go in. */
export const projectDirectory = (config: Pick<Config, 'PROJECTS_DIR'>, projectId: string): string =>
  join(projectDirectories(config), projectId)

/** What is put together or sent within one process: emptied when the panel starts. Beside it lies what outlives a process. */
export const fileStoreStaging = (config: Pick<Config, 'PROJECTS_DIR'>): string =>
  join(config.PROJECTS_DIR, 'staging', 'files')

// What was read before a change must not reach the disk after it. Whoever gives up leaves it to the reconcile loop.
const lock = {
  waitMs: 30_000,
  ifHeld: () => {
    throw new Error('another process has been at work on these directories for too long')
  }
}

/** Gives the directories of a user's projects the names that the projects have. Those that have them already cost one query. */
export async function syncProjectDirectories(deps: Deps, userId: string): Promise<void> {
  await withLock(deps.db, `project-directories:${userId}`, lock, async () => {
    const mine = await deps.db
      .select({ id: projects.id, name: projects.name, filesName: projects.filesName, uid: users.uid })
      .from(projects)
      .innerJoin(users, eq(users.id, projects.userId))
      .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
    const stale = mine.filter((project) => project.filesName !== project.name)
    if (stale.length === 0) return
    await deps.hostHelper.syncProjects(
      mine[0]!.uid,
      mine.map(({ id, name }) => ({ id, name }))
    )
    for (const { id, name } of stale) await deps.db.update(projects).set({ filesName: name }).where(eq(projects.id, id))
  })
}

/** After a commit: what it could not do, the reconcile loop does. */
export async function trySyncProjectDirectories(
  deps: Deps & Pick<Dependencies, 'logger'>,
  userId: string
): Promise<void> {
  try {
    await syncProjectDirectories(deps, userId)
  } catch (error) {
    deps.logger.warn({ userId, error: messageOf(error) }, 'project directories lag behind')
  }
}

/** Of a project that is deleted. */
export async function removeProjectDirectory(deps: Pick<Deps, 'db' | 'hostHelper'>, projectId: string): Promise<void> {
  const [project] = await deps.db
    .select({ uid: users.uid, filesName: projects.filesName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(eq(projects.id, projectId))
  if (!project || project.filesName === null) return
  await deps.hostHelper.removeProject(project.uid, projectId)
}

const ownersPerRound = 50

/** Brings the names of directories that lag behind up to date, a few accounts in a round. */
export async function reconcileDirectories(deps: Deps & Pick<Dependencies, 'logger'>): Promise<'again' | 'done'> {
  const owners = await listStaleDirectoryOwners(deps, ownersPerRound)
  for (const userId of owners) await trySyncProjectDirectories(deps, userId)
  return owners.length > 0 ? 'again' : 'done'
}

async function listStaleDirectoryOwners(deps: Pick<Deps, 'db'>, limit: number): Promise<string[]> {
  const rows = await deps.db
    .selectDistinct({ userId: projects.userId })
    .from(projects)
    .where(
      and(isNull(projects.deletedAt), or(isNull(projects.filesName), ne(projects.filesName, sql`${projects.name}`)))
    )
    .limit(limit)
  return rows.map((row) => row.userId)
}
