import { and, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { maxOverviewItems } from '@panel/contract/overview'
import { counted } from '../../db/counted.ts'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'

/** Not those that their owner stopped. */
export async function listAilingContainers(db: Queryable, userId: string, outOfMemorySince: Date) {
  const { containerStatus, stopReason, status, liveDeploymentId, outOfMemoryAt, asleepSince } = projects
  return db
    .select({
      id: projects.id,
      name: projects.name,
      containerStatus,
      stopReason,
      outOfMemoryMb: sql<
        number | null
      >`case when ${outOfMemoryAt} > ${outOfMemorySince.toISOString()} then ${projects.outOfMemoryMb} end`,
      since: projects.updatedAt,
      total: counted
    }) // oxfmt-ignore
    .from(projects)
    .where(
      and(
        eq(projects.userId, userId),
        isNull(projects.deletedAt),
        or(
          isNotNull(stopReason),
          and(eq(status, 'ACTIVE'), gt(outOfMemoryAt, outOfMemorySince)),
          and(
            eq(status, 'ACTIVE'),
            isNull(asleepSince),
            isNotNull(liveDeploymentId),
            sql`${containerStatus} is distinct from 'running'`
          )
        )
      )
    )
    .orderBy(desc(projects.updatedAt))
    .limit(maxOverviewItems)
}
