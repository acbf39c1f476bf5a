import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'

export async function listOwnDirectories(
  db: Queryable,
  userId: string
): Promise<{ id: string; name: string; filesName: string | null; uid: number }[]> {
  return db
    .select({ id: projects.id, name: projects.name, filesName: projects.filesName, uid: users.uid })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
}

export async function findDirectory(
  db: Queryable,
  projectId: string
): Promise<{ uid: number; filesName: string | null } | undefined> {
  const [row] = await db
    .select({ uid: users.uid, filesName: projects.filesName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(eq(projects.id, projectId))
  return row
}

export async function setDirectoryName(db: Queryable, projectId: string, filesName: string): Promise<void> {
  await db.update(projects).set({ filesName }).where(eq(projects.id, projectId))
}

export async function listOutdatedDirectoryOwners(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: projects.userId })
    .from(projects)
    .where(
      and(isNull(projects.deletedAt), or(isNull(projects.filesName), ne(projects.filesName, sql`${projects.name}`)))
    )
    .limit(limit)
  return rows.map((row) => row.userId)
}
