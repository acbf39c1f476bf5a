import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { openStatuses } from '@panel/contract/deployments'
import type { Queryable, Transaction } from '../../db/database.ts'
import { deploymentLogs, deployments } from '../../db/schema/deployments.ts'

export interface LogLimits {
  perProject: number
  bytesPerAccount: number
}

/** Excludes open deployments, whose logs have their own size limit (deployment-log.service.ts). */
export async function listSurplusLogs(
  db: Queryable,
  userId: string,
  { perProject, bytesPerAccount }: LogLimits,
  limit: number
): Promise<string[]> {
  // octet_length does not read the text.
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (
      select d.id, d.seq, d.status, p.deleted_at,
        row_number() over (partition by d.project_id order by d.seq desc) as place,
        sum(l.bytes) over (order by d.seq desc) as bytes
      from deployments d
      join projects p on p.id = d.project_id
      cross join lateral (
        select coalesce(sum(octet_length(text)), 0) as bytes from deployment_logs where deployment_id = d.id
      ) l
      where d.user_id = ${userId} and d.log_removed_at is null
    ) logs
    where (place > ${perProject} or bytes > ${bytesPerAccount} or deleted_at is not null)
      and status not in ${sql`(${sql.join(
        openStatuses.map((status) => sql`${status}`),
        sql`, `
      )})`}
    order by seq desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function sumLogs(db: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ userId: string; bytes: string }>(sql`
    select d.user_id as "userId", sum(octet_length(l.text)) as bytes
    from deployments d join deployment_logs l on l.deployment_id = d.id
    where ${inArray(sql`d.user_id`, [...userIds])} and d.log_removed_at is null
    group by d.user_id`)
  return new Map(rows.map(({ userId, bytes }) => [userId, Number(bytes)]))
}

export async function listAccountsWithLogs(db: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ userId: string }>(sql`
    select distinct user_id as "userId" from deployments
    where log_removed_at is null and user_id > ${after} order by user_id limit ${limit}`)
  return rows.map(({ userId }) => userId)
}

export async function listLogsOfProject(db: Queryable, projectId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: deployments.id })
    .from(deployments)
    .where(and(eq(deployments.projectId, projectId), isNull(deployments.logRemovedAt)))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Marks first: a concurrent append waits for the row lock, then sees that the log is removed. */
export async function removeLogs(trx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await trx
    .update(deployments)
    .set({ logRemovedAt: now })
    .where(inArray(deployments.id, [...ids]))
  await trx.delete(deploymentLogs).where(inArray(deploymentLogs.deploymentId, [...ids]))
}
