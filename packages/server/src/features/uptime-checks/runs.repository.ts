import type { UptimePause } from '@panel/contract/uptime-checks'
import { and, eq, gt, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { uptimeChecks, uptimeHours, uptimeIncidents, uptimeResults } from '../../db/schema/uptime-checks.ts'
import { users } from '../../db/schema/users.ts'
import { newId } from '../../security/ids.ts'
import { pauseNow } from './host-facts.repository.ts'
import type { Judgement } from './judgement.policy.ts'
import { nextRunAfter } from './run-times.policy.ts'
import type { CheckState } from './uptime.machine.ts'
import { splitByHour } from './uptime-figures.policy.ts'
import type { UptimeCheckRow } from './uptime-checks.repository.ts'

export type TakenRun = UptimeCheckRow & { takenAt: Date; pauseNow: UptimePause | null }

/** Maximum time until a run is due; later times mean that the clock was set back. */
const furthestMs = 2 * 3_600_000

/** Runs that may be taken: per account with runs in progress, and for each other account. */
export interface Places {
  left: ReadonlyMap<string, number>
  ofOthers: number
}

/**
 * Takes due runs, longest waiting first, within the limits per account. Sets the next run in the same commit, so that
 * no two processes take the same run and a killed process loses one run only.
 */
export async function takeDueRuns(
  db: Database,
  { now, limit, places }: { now: Date; limit: number; places: Places }
): Promise<TakenRun[]> {
  const without = [...places.left].filter(([, left]) => left <= 0).map(([userId]) => userId)
  return db.transaction(async (trx) => {
    const found = await trx
      .select({ check: uptimeChecks, pauseNow })
      .from(uptimeChecks)
      .innerJoin(projects, eq(projects.id, uptimeChecks.projectId))
      .innerJoin(users, eq(users.id, uptimeChecks.userId))
      .where(
        and(
          or(lte(uptimeChecks.nextRunAt, now), gt(uptimeChecks.nextRunAt, new Date(now.getTime() + furthestMs))),
          without.length === 0 ? undefined : notInArray(uptimeChecks.userId, without)
        )
      )
      .orderBy(uptimeChecks.nextRunAt)
      .limit(limit)
      .for('update', { of: uptimeChecks, skipLocked: true })
    const due = withinPlaces(found, places)
    if (due.length === 0) return []
    const taken = due.map(({ check, pauseNow }) => ({ ...check, pauseNow, takenAt: now }))
    await trx.execute(sql`
      update uptime_checks set taken_at = ${now.toISOString()}::timestamptz, next_run_at = given.at
      from jsonb_to_recordset(${JSON.stringify(taken.map((check) => ({ id: check.id, at: nextRunAfter(check, now) })))}::jsonb)
        as given(id text, at timestamptz)
      where uptime_checks.id = given.id`)
    return taken
  })
}

/** Paused checks send no request and do not count. */
function withinPlaces<Run extends { check: { userId: string }; pauseNow: unknown }>(
  runs: readonly Run[],
  { left, ofOthers }: Places
): Run[] {
  const taken = new Map<string, number>()
  return runs.filter(({ check: { userId }, pauseNow }) => {
    if (pauseNow !== null) return true
    const mine = taken.get(userId) ?? 0
    taken.set(userId, mine + 1)
    return mine < (left.get(userId) ?? ofOthers)
  })
}

export interface RunOutcome {
  run: TakenRun
  at: Date
  judgement: Judgement
  next: CheckState
  /** Set if the next run is earlier than usual. */
  nextRunAt: Date | null
  /** Time that the result covers. */
  seconds: number
}

/** Runs whose check was not changed or taken again in the meantime. */
export async function lockStillTaken(trx: Transaction, runs: readonly TakenRun[]): Promise<Set<string>> {
  const rows = await trx
    .select({ id: uptimeChecks.id, takenAt: uptimeChecks.takenAt })
    .from(uptimeChecks)
    .where(
      inArray(
        uptimeChecks.id,
        runs.map(({ id }) => id)
      )
    )
    .orderBy(uptimeChecks.id)
    .for('update')
  const takenAt = new Map(runs.map((run) => [run.id, run.takenAt.getTime()]))
  return new Set(rows.filter((row) => row.takenAt?.getTime() === takenAt.get(row.id)).map(({ id }) => id))
}

/** The caller must have locked the checks. */
export async function saveOutcomes(trx: Transaction, outcomes: readonly RunOutcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const checks = outcomes.map(({ run, at, judgement, next, nextRunAt }) => ({
    id: run.id,
    at,
    outcome: judgement.outcome,
    status: judgement.status,
    reason: judgement.reason,
    ms: judgement.ms,
    tls: judgement.tlsDaysLeft,
    state: next.state,
    is_other: next.state !== run.state,
    recent: next.recent,
    failing: next.failingSince,
    soon: nextRunAt
  }))
  await trx.execute(sql`
    update uptime_checks set last_run_at = given.at, last_status = given.status, last_reason = given.reason::uptime_reason,
      last_ms = given.ms, tls_days_left = given.tls, state = given.state::uptime_state,
      state_since = case when given.is_other then given.at else state_since end, pause = null, recent = given.recent,
      failing_since = given.failing, next_run_at = least(next_run_at, coalesce(given.soon, next_run_at)),
      last_known_at = case when given.outcome = 'unknown' then last_known_at else given.at end
    from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as given(id text, at timestamptz, outcome text, status smallint,
      reason text, ms integer, tls integer, state text, is_other boolean, recent text, failing timestamptz, soon timestamptz)
    where uptime_checks.id = given.id`)
  await trx
    .insert(uptimeResults)
    .values(outcomes.map(({ run, at, judgement }) => ({ checkId: run.id, at, ...judgement })))
    .onConflictDoNothing()
  await addToHours(trx, outcomes)
}

async function addToHours(trx: Transaction, outcomes: readonly RunOutcome[]): Promise<void> {
  const rows = outcomes
    .filter(({ judgement }) => judgement.outcome !== 'unknown')
    .flatMap(({ run, at, judgement: { outcome, ms }, seconds }) =>
      splitByHour(at, seconds).map((part, index) => ({
        checkId: run.id,
        hour: part.hour,
        upSeconds: outcome === 'up' ? part.seconds : 0,
        downSeconds: outcome === 'down' ? part.seconds : 0,
        // The response counts in the hour of the run.
        answers: index === 0 && ms !== null ? 1 : 0,
        sumMs: index === 0 ? (ms ?? 0) : 0,
        maxMs: index === 0 ? (ms ?? 0) : 0
      }))
    )
  if (rows.length === 0) return
  await trx
    .insert(uptimeHours)
    .values(rows)
    .onConflictDoUpdate({
      target: [uptimeHours.checkId, uptimeHours.hour],
      set: {
        upSeconds: sql`${uptimeHours.upSeconds} + excluded.up_seconds`,
        downSeconds: sql`${uptimeHours.downSeconds} + excluded.down_seconds`,
        answers: sql`${uptimeHours.answers} + excluded.answers`,
        sumMs: sql`${uptimeHours.sumMs} + excluded.sum_ms`,
        maxMs: sql`greatest(${uptimeHours.maxMs}, excluded.max_ms)`
      }
    })
}

export async function insertIncident(
  trx: Transaction,
  values: Omit<typeof uptimeIncidents.$inferInsert, 'id'>,
  now: Date
): Promise<void> {
  await trx.insert(uptimeIncidents).values({ id: newId(now.getTime()), ...values })
}
