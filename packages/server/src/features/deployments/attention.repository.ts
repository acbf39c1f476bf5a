import { and, desc, eq, isNull } from 'drizzle-orm'
import { maxOverviewItems } from '@panel/contract/overview'
import { counted } from '../../db/counted.ts'
import type { Queryable } from '../../db/database.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'

export async function listFailedDeployments(db: Queryable, userId: string) {
  const latest = db
    .select({
      id: deployments.id,
      status: deployments.status,
      createdAt: deployments.createdAt,
      failure: deployments.failure
    }) // oxfmt-ignore
    .from(deployments)
    .where(eq(deployments.projectId, projects.id))
    .orderBy(desc(deployments.seq))
    .limit(1)
    .as('newest')
  return db
    .select({
      id: latest.id,
      since: latest.createdAt,
      failure: latest.failure,
      projectId: projects.id,
      name: projects.name,
      total: counted
    })
    .from(projects)
    .innerJoinLateral(latest, eq(latest.status, 'FAILED'))
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
    .orderBy(desc(latest.createdAt))
    .limit(maxOverviewItems)
}
