import { and, eq, isNull } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { statusPages } from '../../db/schema/status-pages.ts'
import { users } from '../../db/schema/users.ts'

export type StatusPageRow = typeof statusPages.$inferSelect

export async function findPage(db: Queryable, projectId: string): Promise<StatusPageRow | undefined> {
  const [row] = await db.select().from(statusPages).where(eq(statusPages.projectId, projectId))
  return row
}

export async function findPublicPage(db: Queryable, slug: string): Promise<StatusPageRow | undefined> {
  const [row] = await db
    .select({ page: statusPages })
    .from(statusPages)
    .innerJoin(projects, eq(projects.id, statusPages.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .where(and(eq(statusPages.slug, slug), eq(statusPages.isEnabled, true), isNull(users.suspendedAt)))
  return row?.page
}

export async function savePage(trx: Transaction, values: StatusPageRow): Promise<void> {
  const { slug, title, isEnabled, showDays, updatedAt } = values
  await trx.insert(statusPages).values(values).onConflictDoUpdate({
    target: statusPages.projectId,
    set: { slug, title, isEnabled, showDays, updatedAt }
  })
}

export async function isSlugTaken(trx: Transaction, slug: string, projectId: string): Promise<boolean> {
  const [row] = await trx
    .select({ projectId: statusPages.projectId })
    .from(statusPages)
    .where(eq(statusPages.slug, slug))
  return row !== undefined && row.projectId !== projectId
}

export async function deletePage(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(statusPages).where(eq(statusPages.projectId, projectId))
}
