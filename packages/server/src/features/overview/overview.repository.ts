import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { OverviewDeployment } from '@panel/contract/overview'
import type { Queryable } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'

const latestCount = 8

export async function listLatestDeployments(db: Queryable, userId: string): Promise<OverviewDeployment[]> {
  const { id, status, trigger, commitMsg, createdAt } = deployments
  const rows = await db
    .select({
      id,
      projectId: projects.id,
      projectName: projects.name,
      status,
      trigger,
      commitMsg,
      isLive: sql<boolean>`${projects.liveDeploymentId} is not distinct from ${id}`,
      createdAt
    })
    .from(deployments)
    .innerJoin(projects, and(eq(projects.id, deployments.projectId), isNull(projects.deletedAt)))
    .where(and(eq(deployments.userId, userId), isNull(deployments.logRemovedAt)))
    .orderBy(desc(deployments.seq))
    .limit(latestCount)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
