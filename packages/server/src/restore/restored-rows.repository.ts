import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable } from '../db/database.ts'
import { databases } from '../db/schema/databases.ts'
import { projects } from '../db/schema/projects.ts'
import { users } from '../db/schema/users.ts'

/** Projects of a restored store that have a directory. */
export const listRestoredProjects = (db: Queryable) =>
  db
    .select({ id: projects.id, filesName: projects.filesName, name: projects.name, uid: users.uid })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(isNull(projects.deletedAt))
    .orderBy(projects.id)
export type RestoredProject = Awaited<ReturnType<typeof listRestoredProjects>>[number]

export type RestoredDatabase = typeof databases.$inferSelect

export const listRestoredDatabases = (db: Queryable): Promise<RestoredDatabase[]> =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.status, 'ACTIVE')))
    .orderBy(databases.id)
