import type { UptimePause } from '@panel/contract/uptime-checks'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { hostNames } from '../../db/schema/host-names.ts'
import { projects } from '../../db/schema/projects.ts'
import { uptimeChecks } from '../../db/schema/uptime-checks.ts'
import { users } from '../../db/schema/users.ts'

/**
 * SQL: why a check is paused, or null. Join with the check's project and account, and evaluate before each run: nothing
 * else stops a check from requesting a host that no longer belongs to the account.
 */
export const pauseNow = sql<UptimePause | null>`case
  when ${uptimeChecks.nextRunAt} is null then 'OWNER'
  when ${users.suspendedAt} is not null or ${users.deletedAt} is not null then 'ACCOUNT_SUSPENDED'
  when ${projects.status} = 'DELETED' or ${projects.userId} <> ${uptimeChecks.userId} then 'HOST_NOT_OWN'
  when not ${targetsProject(sql`${uptimeChecks.hostname}`, sql`${uptimeChecks.projectId}`)} then 'HOST_NOT_OWN'
  when ${projects.status} = 'STOPPED' then 'PROJECT_STOPPED'
  when ${projects.liveDeploymentId} is null then 'NOT_DEPLOYED'
  when ${projects.asleepSince} is not null then 'PROJECT_ASLEEP' end`

/**
 * SQL: whether the hostname is the project's own, or a verified domain of its account that points to it. A wildcard
 * covers subdomains that are not domains of their own.
 */
function targetsProject(hostname: SQL, projectId: SQL): SQL {
  const ownDomain = (name: SQL) => sql`exists (select from ${domains} where ${domains.hostname} = ${name}
    and ${domains.projectId} = ${projectId} and ${domains.status} = 'ACTIVE' and ${domains.userId} = ${projects.userId})`
  const wildcard = sql`'*' || substr(${hostname}, strpos(${hostname}, '.'))`
  return sql`(exists (select from ${hostNames} where ${hostNames.hostname} = ${hostname} and ${hostNames.projectId} = ${projectId})
    or ${ownDomain(hostname)}
    or ${ownDomain(wildcard)} and not exists (select from ${hostNames} where ${hostNames.hostname} = ${hostname}))`
}

export async function isHostOfProject(db: Queryable, hostname: string, projectId: string): Promise<boolean> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, projectId), targetsProject(sql`${hostname}`, sql`${projectId}`)))
  return rows.length > 0
}

export async function listPauses(db: Queryable, ids: readonly string[]): Promise<Map<string, UptimePause>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: uptimeChecks.id, pause: pauseNow })
    .from(uptimeChecks)
    .innerJoin(projects, eq(projects.id, uptimeChecks.projectId))
    .innerJoin(users, eq(users.id, uptimeChecks.userId))
    .where(inArray(uptimeChecks.id, [...ids]))
  return new Map(rows.flatMap(({ id, pause }) => (pause === null ? [] : [[id, pause] as const])))
}
