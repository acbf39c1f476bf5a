import { and, asc, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { openStatuses } from '@panel/contract/deployments'
import type { Queryable } from '../../db/database.ts'
import { certificates } from '../../db/schema/certificates.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { domains } from '../../db/schema/domains.ts'
import { hostNames } from '../../db/schema/host-names.ts'
import { projects } from '../../db/schema/projects.ts'

export type DomainFacts = Pick<
  typeof domains.$inferSelect,
  'id' | 'hostname' | 'status' | 'projectId' | 'userId' | 'dnsMode' | 'zoneId'
>

const domainFacts = {
  id: domains.id,
  hostname: domains.hostname,
  status: domains.status,
  projectId: domains.projectId,
  userId: domains.userId,
  dnsMode: domains.dnsMode,
  zoneId: domains.zoneId
}

const wildcardOf = (hostname: string): string => `*.${hostname.replace(/^[^.]*\./, '')}`

/** The domain that serves the host, or else the claim to it; of one account, or of any. The name itself comes before a wildcard. */
export async function findDomainOf(
  db: Queryable,
  hostname: string,
  userId: string | undefined
): Promise<DomainFacts | undefined> {
  const isVerified = eq(domains.status, 'ACTIVE')
  const [found] = await db
    .select(domainFacts)
    .from(domains)
    .where(
      and(
        or(eq(domains.hostname, hostname), and(eq(domains.hostname, wildcardOf(hostname)), isVerified)),
        userId === undefined ? undefined : eq(domains.userId, userId)
      )
    )
    .orderBy(
      desc(eq(domains.hostname, hostname)),
      desc(isVerified),
      sql`path_prefix is not null`,
      asc(domains.createdAt)
    )
    .limit(1)
  return found
}

export type ProjectFacts = Pick<
  typeof projects.$inferSelect,
  | 'id'
  | 'name'
  | 'userId'
  | 'status'
  | 'stopReason'
  | 'stoppedBySuspension'
  | 'asleepSince'
  | 'liveDeploymentId'
  | 'containerId'
  | 'nodeId'
>

const projectFacts = {
  id: projects.id,
  name: projects.name,
  userId: projects.userId,
  status: projects.status,
  stopReason: projects.stopReason,
  stoppedBySuspension: projects.stoppedBySuspension,
  asleepSince: projects.asleepSince,
  liveDeploymentId: projects.liveDeploymentId,
  containerId: projects.containerId,
  nodeId: projects.nodeId
}

/** The project with this automatic name; of one account, or of any. */
export async function findProjectNamed(
  db: Queryable,
  hostname: string,
  userId: string | undefined
): Promise<ProjectFacts | undefined> {
  const [found] = await db
    .select(projectFacts)
    .from(hostNames)
    .innerJoin(projects, eq(projects.id, hostNames.projectId))
    .where(and(eq(hostNames.hostname, hostname), userId === undefined ? undefined : eq(projects.userId, userId)))
  return found
}

export async function findProjectFacts(db: Queryable, id: string): Promise<ProjectFacts | undefined> {
  const [found] = await db.select(projectFacts).from(projects).where(eq(projects.id, id))
  return found
}

export async function findLastDeployment(
  db: Queryable,
  projectId: string
): Promise<{ isOpen: boolean; isFailed: boolean }> {
  const [last] = await db
    .select({ status: deployments.status })
    .from(deployments)
    .where(eq(deployments.projectId, projectId))
    .orderBy(desc(deployments.seq))
    .limit(1)
  return { isOpen: openStatuses.some((status) => status === last?.status), isFailed: last?.status === 'FAILED' }
}

/** The certificate of the name itself, or else of the wildcard above it that can be served. */
export async function findCertificateFor(db: Queryable, hostname: string) {
  const { type, status, validTo, chain, errorMessage } = certificates
  const [found] = await db
    .select({ type, status, validTo, errorMessage, hasContent: sql<boolean>`${chain} is not null` })
    .from(certificates)
    .innerJoin(domains, eq(domains.id, certificates.domainId))
    .where(
      and(
        eq(domains.status, 'ACTIVE'),
        or(
          eq(domains.hostname, hostname),
          and(eq(domains.hostname, wildcardOf(hostname)), isNotNull(certificates.chain))
        )
      )
    )
    .orderBy(desc(isNotNull(chain)), desc(eq(domains.hostname, hostname)))
    .limit(1)
  return found
}
