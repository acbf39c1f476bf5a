import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Queryable } from '../db/database.ts'
import { databases } from '../db/schema/databases.ts'
import { projects } from '../db/schema/projects.ts'
import { users } from '../db/schema/users.ts'
import { volumes } from '../db/schema/volumes.ts'

/** Projects of a restored store that have a directory. */
export const listRestoredProjects = (db: Queryable) =>
  db
    .select({ id: projects.id, filesName: projects.filesName, name: projects.name, uid: users.uid })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(isNull(projects.deletedAt))
    .orderBy(projects.id)
export type RestoredProject = Awaited<ReturnType<typeof listRestoredProjects>>[number]

/** Their volumes that have a directory. */
export const listRestoredVolumes = (db: Queryable) =>
  db
    .select({
      id: volumes.id,
      projectId: volumes.projectId,
      filesName: volumes.filesName,
      name: volumes.name,
      uid: users.uid
    })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(isNull(projects.deletedAt), isNull(volumes.deletedAt), isNotNull(volumes.filesName)))
    .orderBy(volumes.id)
export type RestoredVolume = Awaited<ReturnType<typeof listRestoredVolumes>>[number]

export type RestoredDatabase = typeof databases.$inferSelect

export const listRestoredDatabases = (db: Queryable): Promise<RestoredDatabase[]> =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.status, 'ACTIVE')))
    .orderBy(databases.id)
