import { openStatuses } from '@panel/contract/deployments'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { sourceUploads } from '../../db/schema/source-uploads.ts'

export type SourceUploadRow = typeof sourceUploads.$inferSelect

export async function insertUpload(trx: Transaction, values: typeof sourceUploads.$inferInsert): Promise<void> {
  await trx.insert(sourceUploads).values(values)
}

/** For a directory that is restored; its row may be there still, marked as removed. */
export async function keepUpload(trx: Transaction, values: typeof sourceUploads.$inferInsert): Promise<void> {
  const set = { isRemoved: false, createdAt: values.createdAt }
  await trx.insert(sourceUploads).values(values).onConflictDoUpdate({ target: sourceUploads.id, set })
}

export const countQueuedUploads = (db: Queryable, projectId: string): Promise<number> =>
  db.$count(
    deployments,
    and(eq(deployments.projectId, projectId), eq(deployments.status, 'QUEUED'), eq(deployments.trigger, 'UPLOAD'))
  )

/** Those that a deployment was built from, and that are not being removed. */
export async function listKeptUploads(db: Queryable): Promise<Pick<SourceUploadRow, 'id' | 'projectId'>[]> {
  return db
    .select({ id: sourceUploads.id, projectId: sourceUploads.projectId })
    .from(sourceUploads)
    .where(
      sql`not ${sourceUploads.isRemoved} and exists (
        select 1 from deployments d
        where d.project_id = ${sourceUploads.projectId} and d.upload->>'id' = ${sourceUploads.id}
      )`
    )
    .orderBy(sourceUploads.id)
}

/** No deployment came of it before `before`; or no release needs it and a later upload took its place. */
function isStray(before: Date) {
  const open = sql.join(openStatuses.map((status) => sql`${status}`), sql`, `) // oxfmt-ignore
  const deploymentsOf = (id: unknown) =>
    sql`select 1 from deployments d where d.project_id = ${sourceUploads.projectId} and d.upload->>'id' = ${id}`
  return sql<boolean>`(
    case when not exists (${deploymentsOf(sourceUploads.id)}) then ${lt(sourceUploads.createdAt, before)}
    else not exists (${deploymentsOf(sourceUploads.id)} and (d.image is not null or d.status in (${open})))
      and exists (
        select 1 from source_uploads later
        where later.project_id = ${sourceUploads.projectId} and later.id > ${sourceUploads.id}
          and exists (${deploymentsOf(sql`later.id`)})
      )
    end
  )`
}

/** With those of deleted projects and those whose removal broke off. */
export async function listStrayUploads(db: Queryable, before: Date): Promise<SourceUploadRow[]> {
  const rows = await db
    .select({ upload: sourceUploads })
    .from(sourceUploads)
    .innerJoin(projects, eq(projects.id, sourceUploads.projectId))
    .where(sql`${sourceUploads.isRemoved} or ${eq(projects.status, 'DELETED')} or ${isStray(before)}`)
    .limit(1000)
  return rows.map(({ upload }) => upload)
}

/** Resolves with false if it is needed by now. The caller holds the project lock, unless the project is deleted. */
export async function markRemoved(trx: Transaction, id: string, before: Date): Promise<boolean> {
  const rows = await trx
    .update(sourceUploads)
    .set({ isRemoved: true })
    .where(and(eq(sourceUploads.id, id), sql`(${sourceUploads.isRemoved} or ${isStray(before)})`))
    .returning({ id: sourceUploads.id })
  return rows.length > 0
}

export async function deleteUpload(db: Queryable, id: string): Promise<void> {
  await db.delete(sourceUploads).where(eq(sourceUploads.id, id))
}
