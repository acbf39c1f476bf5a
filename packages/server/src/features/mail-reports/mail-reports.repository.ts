import type { DmarcQuery } from '@panel/contract/mail-reports'
import { and, desc, eq, gte, inArray, lt, lte, not, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/database.ts'
import { dmarcReports, dmarcRows } from '../../db/schema/dmarc-reports.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { newId } from '../../security/ids.ts'
import type { DmarcReport } from '../../infra/mail-reports/mail-reports.ts'
import { dayOf } from './acceptance.policy.ts'

export async function findMailDomainNamed(db: Queryable, name: string): Promise<string | undefined> {
  const [row] = await db.select({ id: mailDomains.domainId }).from(mailDomains).where(eq(mailDomains.name, name))
  return row?.id
}

/** False for duplicates: reporters resend a report if the delivery was not confirmed. */
export async function insertReport(
  trx: Transaction,
  domainId: string,
  report: DmarcReport,
  now: Date
): Promise<boolean> {
  const { reporter, reportId, begin: beginAt, end: endAt, rows } = report
  const id = newId(now.getTime())
  const inserted = await trx
    .insert(dmarcReports)
    .values({
      id,
      domainId,
      reporter,
      reportId,
      beginAt,
      endAt,
      policy: report.policy ?? null,
      rowCount: rows.length,
      createdAt: now
    })
    .onConflictDoNothing()
    .returning({ id: dmarcReports.id })
  if (inserted.length === 0) return false
  await trx.insert(dmarcRows).values(
    rows.map((row) => ({
      id: newId(now.getTime()),
      reportId: id,
      domainId,
      day: dayOf(beginAt),
      ...row,
      sourceIp: row.sourceIp ?? null,
      headerFrom: row.headerFrom ?? null,
      dkimDomain: row.dkimDomain ?? null,
      spfDomain: row.spfDomain ?? null
    }))
  )
  return true
}

type Days = { from: string; to: string }

const isPassing = or(dmarcRows.dkimAligned, dmarcRows.spfAligned)!

const isWithin = (domainId: string, { from, to }: Days) =>
  and(eq(dmarcRows.domainId, domainId), gte(dmarcRows.day, from), lte(dmarcRows.day, to))

export async function listSources(
  db: Queryable,
  domainId: string,
  { page, limit, result, ...days }: Pick<DmarcQuery, 'page' | 'limit' | 'result'> & Days
) {
  const where = and(
    isWithin(domainId, days),
    result === undefined ? undefined : result === 'pass' ? isPassing : not(isPassing)
  )
  const [rows, [counted]] = await Promise.all([
    db
      .select({ row: dmarcRows, reporter: dmarcReports.reporter })
      .from(dmarcRows)
      .innerJoin(dmarcReports, eq(dmarcReports.id, dmarcRows.reportId))
      .where(where)
      .orderBy(desc(dmarcRows.day), desc(dmarcRows.messages), desc(dmarcRows.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(dmarcRows)
      .where(where)
  ])
  return { rows, total: counted!.total }
}

export async function sumUpSources(db: Queryable, domainId: string, days: Days) {
  const [sums] = await db
    .select({
      reports: sql<number>`count(distinct ${dmarcRows.reportId})::int`,
      messages: sql<number>`coalesce(sum(${dmarcRows.messages}), 0)::float8`,
      passing: sql<number>`coalesce(sum(${dmarcRows.messages}) filter (where ${isPassing}), 0)::float8`
    })
    .from(dmarcRows)
    .where(isWithin(domainId, days))
  return sums!
}

export async function lastArrival(db: Queryable, domainId: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: dmarcReports.createdAt })
    .from(dmarcReports)
    .where(eq(dmarcReports.domainId, domainId))
    .orderBy(desc(dmarcReports.createdAt))
    .limit(1)
  return row?.at ?? null
}

export async function deleteOldReports(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: dmarcReports.id })
    .from(dmarcReports)
    .where(lt(dmarcReports.beginAt, before))
    .orderBy(dmarcReports.beginAt)
    .limit(limit)
  const deleted = await db.delete(dmarcReports).where(inArray(dmarcReports.id, old)).returning({ id: dmarcReports.id })
  return deleted.length
}

export async function deleteSurplusReports(db: Queryable, maxRows: number): Promise<void> {
  await db.execute(sql`
    delete from ${dmarcReports} where id in (
      select id from (
        select id, sum(row_count) over (partition by domain_id order by created_at desc, id desc) as sum from ${dmarcReports}
        where domain_id in (select domain_id from ${dmarcReports} group by domain_id having sum(row_count) > ${maxRows})
      ) as counted where counted.sum > ${maxRows})`)
}
