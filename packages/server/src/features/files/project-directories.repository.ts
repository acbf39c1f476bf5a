import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'
import { volumes } from '../../db/schema/volumes.ts'

interface OwnDirectory {
  /** Of a project or a volume. */
  id: string
  nodeId: string
  name: string
  filesName: string | null
  uid: number
}

/** No project's name has a dot. */
const volumeDirectory = sql<string>`${projects.name} || '.' || ${volumes.name}`
const isLive = and(isNull(projects.deletedAt), isNull(volumes.deletedAt))

export async function listOwnDirectories(db: Queryable, userId: string): Promise<OwnDirectory[]> {
  const ofProjects = db
    .select({
      id: projects.id,
      nodeId: projects.filesNodeId,
      name: projects.name,
      filesName: projects.filesName,
      uid: users.uid
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
  const ofVolumes = db
    .select({
      id: volumes.id,
      nodeId: projects.filesNodeId,
      name: volumeDirectory,
      filesName: volumes.filesName,
      uid: users.uid
    })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(projects.userId, userId), isLive))
  return [...(await ofProjects), ...(await ofVolumes)]
}

export async function findDirectory(
  db: Queryable,
  projectId: string
): Promise<Pick<OwnDirectory, 'nodeId' | 'uid' | 'filesName'> | undefined> {
  const [row] = await db
    .select({ nodeId: projects.filesNodeId, uid: users.uid, filesName: projects.filesName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(eq(projects.id, projectId))
  return row
}

export async function setDirectoryName(db: Queryable, id: string, filesName: string): Promise<void> {
  await db.update(projects).set({ filesName }).where(eq(projects.id, id))
  await db.update(volumes).set({ filesName }).where(eq(volumes.id, id))
}

export async function listOutdatedDirectoryOwners(db: Queryable, limit: number): Promise<string[]> {
  const ofProjects = await db
    .selectDistinct({ userId: projects.userId })
    .from(projects)
    .where(
      and(isNull(projects.deletedAt), or(isNull(projects.filesName), ne(projects.filesName, sql`${projects.name}`)))
    )
    .limit(limit)
  const ofVolumes = await db
    .selectDistinct({ userId: projects.userId })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .where(and(isLive, or(isNull(volumes.filesName), ne(volumes.filesName, volumeDirectory))))
    .limit(limit)
  return [...new Set([...ofProjects, ...ofVolumes].map((row) => row.userId))]
}
