import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { SearchResult } from '@panel/contract/search'
import type { Queryable } from '../../db/database.ts'
import { databases } from '../../db/schema/databases.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import { projects } from '../../db/schema/projects.ts'

export type Hit = Omit<SearchResult, 'type'>

const separators = '-_./@:'
const spaces = ' '.repeat(separators.length)

/** SQL condition and rank of a match: 0 prefix, 1 start of a word, 2 anywhere. */
function matchOf(name: SQL, text: string): { where: SQL; rank: SQL } {
  const wanted = text.toLowerCase()
  const lower = sql`lower(${name})`
  const inWords = sql`translate(${lower}, ${separators}, ${spaces})`
  const wordStart = sql`strpos(${inWords}, ' ' || translate(${wanted}, ${separators}, ${spaces})) > 0`
  return {
    where: sql`strpos(${lower}, ${wanted}) > 0`,
    rank: sql`case when starts_with(${lower}, ${wanted}) then 0 when ${wordStart} then 1 else 2 end`
  }
}

export async function findProjects(db: Queryable, userId: string, text: string, limit: number): Promise<Hit[]> {
  const { where, rank } = matchOf(sql`${projects.name}`, text)
  return db
    .select({ id: projects.id, title: projects.name, subtitle: projects.gitUrl })
    .from(projects)
    .where(and(eq(projects.userId, userId), isNull(projects.deletedAt), where))
    .orderBy(rank, projects.name, projects.id)
    .limit(limit)
}

export async function findDomains(db: Queryable, userId: string, text: string, limit: number): Promise<Hit[]> {
  const { where, rank } = matchOf(sql`${domains.hostname}`, text)
  return db
    .select({ id: domains.id, title: domains.hostname, subtitle: domains.pathPrefix })
    .from(domains)
    .where(and(eq(domains.userId, userId), eq(domains.isMailHost, false), where))
    .orderBy(rank, domains.hostname, domains.id)
    .limit(limit)
}

export async function findDatabases(db: Queryable, userId: string, text: string, limit: number): Promise<Hit[]> {
  const { where, rank } = matchOf(sql`${databases.name}`, text)
  return db
    .select({
      id: databases.id,
      title: databases.name,
      subtitle: sql<string>`case ${databases.type} when 'POSTGRESQL' then 'PostgreSQL' else 'MariaDB' end`
    })
    .from(databases)
    .where(and(eq(databases.userId, userId), eq(databases.status, 'ACTIVE'), where))
    .orderBy(rank, databases.name, databases.id)
    .limit(limit)
}

export async function findMailboxes(db: Queryable, userId: string, text: string, limit: number): Promise<Hit[]> {
  const address = sql<string>`(${mailboxes.localPart} || '@' || ${mailboxes.domainName})`
  const { where, rank } = matchOf(address, text)
  return db
    .select({ id: mailboxes.id, title: address, subtitle: sql<null>`null` })
    .from(mailboxes)
    .where(and(eq(mailboxes.userId, userId), isNull(mailboxes.deletedAt), where))
    .orderBy(rank, mailboxes.domainName, mailboxes.localPart)
    .limit(limit)
}
