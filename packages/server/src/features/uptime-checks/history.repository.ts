import type { UptimeRange } from '@panel/contract/uptime-checks'
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../db/database.ts'
import { uptimeHours, uptimeIncidents, uptimeResults } from '../../db/schema/uptime-checks.ts'
import { firstHourOf } from './uptime-figures.policy.ts'

export interface Sums {
  upSeconds: number
  downSeconds: number
}

const sumOf = (column: typeof uptimeHours.upSeconds | typeof uptimeHours.downSeconds, from: Date) =>
  sql<number>`coalesce(sum(${column}) filter (where ${uptimeHours.hour} >= ${from.toISOString()}::timestamptz), 0)::float8`

export async function sumRanges(
  db: Queryable,
  checkIds: readonly string[],
  now: Date
): Promise<Map<string, Record<UptimeRange, Sums>>> {
  if (checkIds.length === 0) return new Map()
  const sums = (range: UptimeRange) => {
    const from = firstHourOf(range, now)
    return { up: sumOf(uptimeHours.upSeconds, from), down: sumOf(uptimeHours.downSeconds, from) }
  }
  const [day, week, month, quarter] = [sums('24h'), sums('7d'), sums('30d'), sums('90d')]
  const rows = await db
    .select({ checkId: uptimeHours.checkId, day, week, month, quarter })
    .from(uptimeHours)
    .where(and(inArray(uptimeHours.checkId, [...checkIds]), gte(uptimeHours.hour, firstHourOf('90d', now))))
    .groupBy(uptimeHours.checkId)
  const named = ({ up, down }: { up: number; down: number }): Sums => ({ upSeconds: up, downSeconds: down })
  return new Map(
    rows.map((row) => [
      row.checkId,
      { '24h': named(row.day), '7d': named(row.week), '30d': named(row.month), '90d': named(row.quarter) }
    ])
  )
}

export async function listPoints(db: Queryable, checkId: string, from: Date, unit: 'hour' | 'day') {
  const start = sql<Date>`date_trunc(${sql.raw(`'${unit}'`)}, ${uptimeHours.hour}, 'UTC')`
  return db
    .select({
      from: start.mapWith(uptimeHours.hour),
      upSeconds: sql<number>`sum(${uptimeHours.upSeconds})::float8`,
      downSeconds: sql<number>`sum(${uptimeHours.downSeconds})::float8`,
      answers: sql<number>`sum(${uptimeHours.answers})::float8`,
      sumMs: sql<number>`sum(${uptimeHours.sumMs})::float8`,
      maxMs: sql<number>`max(${uptimeHours.maxMs})::int`
    })
    .from(uptimeHours)
    .where(and(eq(uptimeHours.checkId, checkId), gte(uptimeHours.hour, from)))
    .groupBy(start)
    .orderBy(asc(start))
}

export async function listDays(db: Queryable, checkIds: readonly string[], from: Date) {
  if (checkIds.length === 0) return []
  const day = sql<string>`to_char(${uptimeHours.hour} at time zone 'UTC', 'YYYY-MM-DD')`
  return db
    .select({
      checkId: uptimeHours.checkId,
      day,
      upSeconds: sql<number>`sum(${uptimeHours.upSeconds})::float8`,
      downSeconds: sql<number>`sum(${uptimeHours.downSeconds})::float8`
    })
    .from(uptimeHours)
    .where(and(inArray(uptimeHours.checkId, [...checkIds]), gte(uptimeHours.hour, from)))
    .groupBy(uptimeHours.checkId, day)
}

export const listLatest = (db: Queryable, checkId: string, limit: number) =>
  db.select().from(uptimeResults).where(eq(uptimeResults.checkId, checkId)).orderBy(desc(uptimeResults.at)).limit(limit)

export async function listIncidents(db: Queryable, checkId: string, page: { limit: number; offset: number }) {
  const where = eq(uptimeIncidents.checkId, checkId)
  const [rows, [counted]] = await Promise.all([
    db
      .select()
      .from(uptimeIncidents)
      .where(where)
      .orderBy(desc(uptimeIncidents.startedAt), desc(uptimeIncidents.id))
      .limit(page.limit)
      .offset(page.offset),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(uptimeIncidents)
      .where(where)
  ])
  return { rows, total: counted!.total }
}

export async function listIncidentsSince(db: Queryable, checkIds: readonly string[], from: Date, limit: number) {
  if (checkIds.length === 0) return []
  return db
    .select()
    .from(uptimeIncidents)
    .where(
      and(
        inArray(uptimeIncidents.checkId, [...checkIds]),
        or(isNull(uptimeIncidents.endedAt), gte(uptimeIncidents.endedAt, from))
      )
    )
    .orderBy(desc(uptimeIncidents.startedAt), desc(uptimeIncidents.id))
    .limit(limit)
}

export async function deleteOldResults(db: Database, before: Date, limit: number): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    delete from uptime_results where ctid = any(array(
      select ctid from uptime_results where at < ${before.toISOString()}::timestamptz order by at limit ${limit}))`)
  return rowCount === limit
}

export async function deleteOldHours(db: Database, before: Date, limit: number): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    delete from uptime_hours where ctid = any(array(
      select ctid from uptime_hours where hour < ${before.toISOString()}::timestamptz order by hour limit ${limit}))`)
  return rowCount === limit
}

export async function deleteOldIncidents(db: Database, before: Date): Promise<void> {
  await db.delete(uptimeIncidents).where(and(isNotNull(uptimeIncidents.endedAt), lt(uptimeIncidents.endedAt, before)))
}
