import type { UptimeCheck, UptimeFigures, UptimeIncident, UptimeState } from '@panel/contract/uptime-checks'
import type { Queryable } from '../../db/database.ts'
import type { uptimeIncidents } from '../../db/schema/uptime-checks.ts'
import { type Sums, sumRanges } from './history.repository.ts'
import { isOutdated } from './run-times.policy.ts'
import { uptimeOf } from './uptime-figures.policy.ts'
import type { SeenCheck } from './uptime-checks.repository.ts'

/** The current state: checks are not notified when their project stops, nor when runs fail to come. */
export function stateNow(check: SeenCheck, now: Date): UptimeState {
  if (check.pauseNow !== null) return 'PAUSED'
  return check.state === 'PAUSED' || isOutdated(check.intervalMinutes, check.lastKnownAt, now) ? 'UNKNOWN' : check.state
}

export async function viewChecks(db: Queryable, rows: readonly SeenCheck[], now: Date): Promise<UptimeCheck[]> {
  const sums = await sumRanges(
    db,
    rows.map(({ id }) => id),
    now
  )
  return rows.map((row) => checkView(row, figuresOf(sums.get(row.id)), now))
}

const nothing: Sums = { upSeconds: 0, downSeconds: 0 }

const figuresOf = (sums: Record<keyof UptimeFigures, Sums> | undefined): UptimeFigures => ({
  '24h': uptimeOf(sums?.['24h'] ?? nothing),
  '7d': uptimeOf(sums?.['7d'] ?? nothing),
  '30d': uptimeOf(sums?.['30d'] ?? nothing),
  '90d': uptimeOf(sums?.['90d'] ?? nothing)
})

const checkView = (row: SeenCheck, uptime: UptimeFigures, now: Date): UptimeCheck => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  hostname: row.hostname,
  protocol: row.protocol,
  path: row.path,
  method: row.method,
  expectedStatus: row.expectedStatus,
  text: row.text,
  textMode: row.textMode,
  intervalMinutes: row.intervalMinutes,
  timeoutSeconds: row.timeoutSeconds,
  retries: row.retries,
  paused: row.nextRunAt === null,
  onStatusPage: row.onStatusPage,
  state: stateNow(row, now),
  pausedBecause: row.pauseNow,
  stateSince: row.stateSince.toISOString(),
  lastRunAt: row.lastRunAt?.toISOString() ?? null,
  lastStatus: row.lastStatus,
  lastReason: row.lastReason,
  lastMs: row.lastMs,
  tlsDaysLeft: row.tlsDaysLeft,
  uptime,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

export const incidentView = (row: typeof uptimeIncidents.$inferSelect, now: Date): UptimeIncident => ({
  id: row.id,
  from: row.startedAt.toISOString(),
  to: row.endedAt?.toISOString() ?? null,
  seconds: lengthOf(row, now),
  reason: row.reason,
  status: row.status
})

export const lengthOf = ({ startedAt, endedAt }: { startedAt: Date; endedAt: Date | null }, now: Date): number =>
  Math.max(0, Math.round(((endedAt ?? now).getTime() - startedAt.getTime()) / 1000))
