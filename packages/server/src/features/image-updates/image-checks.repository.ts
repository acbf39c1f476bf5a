import { eq, type SQL, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deployments, type SourceImage } from '../../db/schema/deployments.ts'
import { imageChecks } from '../../db/schema/image-checks.ts'
import { projects } from '../../db/schema/projects.ts'

export type ImageCheckRow = typeof imageChecks.$inferSelect

export async function findImageCheck(db: Queryable, projectId: string): Promise<ImageCheckRow | undefined> {
  const [row] = await db.select().from(imageChecks).where(eq(imageChecks.projectId, projectId))
  return row
}

export async function findLiveImage(db: Queryable, projectId: string): Promise<SourceImage | null> {
  const [row] = await db
    .select({ sourceImage: deployments.sourceImage })
    .from(projects)
    .innerJoin(deployments, eq(deployments.id, projects.liveDeploymentId))
    .where(eq(projects.id, projectId))
  return row?.sourceImage ?? null
}

const fromDueAt = (now: SQL): SQL => sql`
  from projects p left join image_checks c on c.project_id = p.id
  where p.type = 'IMAGE' and p.status = 'ACTIVE' and p.image is not null and p.live_deployment_id is not null
    and (c.next_at is null or c.next_at <= ${now} or c.reference <> p.image)`

export async function isAnyImageDue(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute(sql`select ${fromDueAt(sql`now()`)} limit 1`)
  return rows.length > 0
}

/** Projects whose check is due, the longest due first, a few of each account. */
export async function listDueImages(
  db: Queryable,
  { now, limit, perAccount }: { now: Date; limit: number; perAccount: number }
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (
      select p.id, c.next_at, row_number() over (partition by p.user_id order by c.next_at nulls first, p.id) as place
      ${fromDueAt(sql`${now.toISOString()}`)}
    ) due
    where place <= ${perAccount} order by next_at nulls first, id limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function saveImageCheck(
  trx: Transaction,
  {
    projectId,
    ...values
  }: Pick<ImageCheckRow, 'projectId' | 'reference' | 'checkedAt' | 'nextAt'> & Partial<ImageCheckRow>
): Promise<void> {
  await trx
    .insert(imageChecks)
    .values({ projectId, ...values })
    .onConflictDoUpdate({ target: imageChecks.projectId, set: values })
}

export async function deleteImageCheck(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(imageChecks).where(eq(imageChecks.projectId, projectId))
}
