import { and, eq, ne, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { accountNetworks } from '../../db/schema/account-networks.ts'
import { domainRules, projectRules } from '../../db/schema/domain-rules.ts'
import { domains } from '../../db/schema/domains.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'
import type { RuleSet, StoredRule } from '../../infra/reverse-proxy/reverse-proxy.ts'
import type { SiteRules } from './redirect-loop.policy.ts'

export type RulesRow = Pick<typeof domainRules.$inferSelect, 'rules' | 'version'>

export async function findRules(db: Queryable, domainId: string): Promise<RulesRow> {
  const [row] = await db.select().from(domainRules).where(eq(domainRules.domainId, domainId))
  return row ?? { rules: [], version: 0 }
}

export async function saveRules(
  trx: Transaction,
  domainId: string,
  rules: StoredRule[],
  { version, now }: { version: number; now: Date }
): Promise<void> {
  const values = { rules, version, updatedAt: now }
  await trx
    .insert(domainRules)
    .values({ domainId, ...values })
    .onConflictDoUpdate({ target: domainRules.domainId, set: values })
}

/** Sets that a route may name: those with a rule. */
export async function listRuleSets(db: Queryable): Promise<RuleSet[]> {
  const [ofDomains, ofProjects] = await Promise.all([
    db
      .select({ id: domainRules.domainId, rules: domainRules.rules })
      .from(domainRules)
      .where(sql`jsonb_array_length(${domainRules.rules}) > 0`),
    ofProjectHostnames(db)
  ])
  return [...ofDomains, ...ofProjects]
}

/** Containers of the account pass the logins, so that a site reaches itself. */
const ofProjectHostnames = (db: Queryable, projectId?: string) =>
  db
    .select({
      id: projectRules.projectId,
      rules: projectRules.rules,
      passLogins: sql<
        string[]
      >`array_remove(array_agg(${accountNetworks.subnet} order by ${accountNetworks.number}), null)`
    })
    .from(projectRules)
    .innerJoin(projects, eq(projects.id, projectRules.projectId))
    .innerJoin(users, eq(users.id, projects.userId))
    .leftJoin(accountNetworks, and(eq(accountNetworks.uid, users.uid), eq(accountNetworks.nodeId, projects.nodeId)))
    .where(projectId === undefined ? undefined : eq(projectRules.projectId, projectId))
    .groupBy(projectRules.projectId)

/** Rules of the hostname that the panel gives a project. There is at least one. */
export async function saveProjectRules(
  trx: Transaction,
  projectId: string,
  rules: StoredRule[],
  now: Date
): Promise<void> {
  const values = { rules, updatedAt: now }
  await trx
    .insert(projectRules)
    .values({ projectId, ...values })
    .onConflictDoUpdate({ target: projectRules.projectId, set: values })
}

export const findProjectRuleSet = async (db: Queryable, projectId: string): Promise<RuleSet | undefined> =>
  (await ofProjectHostnames(db, projectId))[0]

export async function deleteProjectRules(trx: Transaction, projectId: string): Promise<void> {
  await trx.delete(projectRules).where(eq(projectRules.projectId, projectId))
}

/** The account's other verified domains, with or without rules. */
export async function listOtherSites(db: Queryable, userId: string, domainId: string): Promise<SiteRules[]> {
  const rows = await db
    .select({ hostname: domains.hostname, pathPrefix: domains.pathPrefix, rules: domainRules.rules })
    .from(domains)
    .leftJoin(domainRules, eq(domainRules.domainId, domains.id))
    .where(and(eq(domains.userId, userId), eq(domains.status, 'ACTIVE'), ne(domains.id, domainId)))
  return rows.map((row) => ({ ...row, rules: row.rules ?? [] }))
}
