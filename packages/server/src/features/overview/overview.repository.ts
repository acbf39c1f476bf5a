import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { maxOverviewItems, type OverviewDeployment } from '@panel/contract/overview'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { domains } from '../../db/schema/domains.ts'
import { projects } from '../../db/schema/projects.ts'

const newestCount = 8

/** How many rows there are behind the limit, beside each of those that are shown. */
const counted = sql<number>`(count(*) over ())::int`

/** Projects whose newest deployment has failed: one look into the index for each of the account's projects. */
export async function listFailedDeployments(db: Queryable, userId: string) {
  const newest = db
    .select({
      id: deployments.id,
      status: deployments.status,
      createdAt: deployments.createdAt,
      failure: deployments.failure
    }) // prettier-ignore
    .from(deployments)
    .where(eq(deployments.projectId, projects.id))
    .orderBy(desc(deployments.seq))
    .limit(1)
    .as('newest')
  return db
    .select({
      id: newest.id,
      since: newest.createdAt,
      failure: newest.failure,
      projectId: projects.id,
      name: projects.name,
      total: counted
    })
    .from(projects)
    .innerJoinLateral(newest, eq(newest.status, 'FAILED'))
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt)))
    .orderBy(desc(newest.createdAt))
    .limit(maxOverviewItems)
}

/** Projects that should run and do not, and those that the panel has stopped. What their owner has stopped is well. */
export async function listAilingContainers(db: Queryable, userId: string) {
  const { containerStatus, stopReason, status, liveDeploymentId } = projects
  return db
    .select({
      id: projects.id,
      name: projects.name,
      containerStatus,
      stopReason,
      since: projects.updatedAt,
      total: counted
    }) // prettier-ignore
    .from(projects)
    .where(
      and(
        eq(projects.userId, userId),
        isNull(projects.deletedAt),
        or(
          isNotNull(stopReason),
          and(eq(status, 'ACTIVE'), isNotNull(liveDeploymentId), sql`${containerStatus} is distinct from 'running'`)
        )
      )
    )
    .orderBy(desc(projects.updatedAt))
    .limit(maxOverviewItems)
}

const isOwners = eq(domains.isMailHost, false)

export async function listUnverifiedDomains(db: Queryable, userId: string) {
  const { id, hostname, pathPrefix, status, createdAt } = domains
  return db
    .select({ id, hostname, pathPrefix, status, since: createdAt, total: counted })
    .from(domains)
    .where(and(eq(domains.userId, userId), isOwners, ne(status, 'ACTIVE')))
    .orderBy(desc(createdAt))
    .limit(maxOverviewItems)
}

/** Those that failed, have ended or end before `soon`, and those whose renewal fails. */
export async function listAilingCertificates(db: Queryable, userId: string, soon: Date) {
  const { status, validTo, failures, errorMessage, updatedAt } = certificates
  return db
    .select({
      domainId: domains.id,
      hostname: domains.hostname,
      isServed: sql<boolean>`${certificates.chain} is not null`,
      status,
      validTo,
      failures,
      errorMessage,
      since: updatedAt,
      total: counted
    })
    .from(domains)
    .innerJoin(certificates, eq(certificates.domainId, domains.id))
    .where(
      and(
        eq(domains.userId, userId),
        isOwners,
        or(
          eq(status, 'ERROR'),
          sql`${certificates.chain} is not null and (${failures} > 0 or ${validTo} <= ${sql.param(soon, validTo)})`
        )
      )
    )
    .orderBy(desc(updatedAt))
    .limit(maxOverviewItems)
}

/** Of all the account's projects, the newest first; those whose log was removed are older than any that is shown. */
export async function listNewestDeployments(db: Queryable, userId: string): Promise<OverviewDeployment[]> {
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
    .limit(newestCount)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
