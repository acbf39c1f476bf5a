import { and, eq, isNotNull, notLike, or, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Queryable } from '../../db/database.ts'
import { domainRules } from '../../db/schema/domain-rules.ts'
import { domains } from '../../db/schema/domains.ts'
import { hostNames } from '../../db/schema/host-names.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'

/**
 * Names that this server answers, by uid of their account; of one account, or of all: those of projects, and verified domains that have a
 * project or rules. Names of a domain whose site lies elsewhere are none of them, and a hosts file has no wildcards.
 */
export async function listSiteNames(db: Queryable, uid?: number): Promise<Map<number, string[]>> {
  const ofAccount = uid === undefined ? undefined : eq(users.uid, uid)
  const rows = await union(
    db
      .select({ uid: users.uid, hostname: hostNames.hostname })
      .from(hostNames)
      .innerJoin(projects, eq(projects.id, hostNames.projectId))
      .innerJoin(users, eq(users.id, projects.userId))
      .where(ofAccount),
    db
      .select({ uid: users.uid, hostname: domains.hostname })
      .from(domains)
      .innerJoin(users, eq(users.id, domains.userId))
      .leftJoin(domainRules, eq(domainRules.domainId, domains.id))
      .where(
        and(
          ofAccount,
          eq(domains.status, 'ACTIVE'),
          notLike(domains.hostname, '*%'),
          or(isNotNull(domains.projectId), sql`jsonb_array_length(${domainRules.rules}) > 0`)
        )
      )
  )
  const names = new Map<number, string[]>()
  for (const { uid: account, hostname } of rows) {
    const known = names.get(account)
    if (known) known.push(hostname)
    else names.set(account, [hostname])
  }
  return names
}
