import type { OverlapPolicy, RunStatus } from '@panel/contract/runs'
import { latestMatch, parseCron } from '../../time/cron.policy.ts'

export interface Schedule {
  schedule: string
  timezone: string
}

/** The next time after `after`; undefined if there is none, such as 30 February. Throws if the line is invalid. */
export const nextTime = ({ schedule, timezone }: Schedule, after: Date): Date | undefined =>
  parseCron(schedule, timezone).nextRun(after) ?? undefined

/** The time that is run now: of several that passed while nothing ran, only the latest. */
export const dueTime = ({ schedule, timezone }: Schedule, now: Date): Date | undefined =>
  latestMatch(parseCron(schedule, timezone), now)

/** As in cron: after a smaller step back of the clock, jobs wait for the time that they already reached. */
const correctedAfterMs = 3 * 3600_000

/** Whether the next time was computed while the clock was wrong. */
export function isTooFarAhead(job: Schedule & { nextRunAt: Date }, now: Date): boolean {
  const next = nextTime(job, now)
  return next !== undefined && job.nextRunAt.getTime() > next.getTime() + correctedAfterMs
}

export interface OpenRun {
  id: string
  status: RunStatus
}

/** What happens to a run that is due, by the open runs of its job. `stop`: runs that make room for it. */
export function planRun(overlap: OverlapPolicy, open: readonly OpenRun[]): { isSkipped: boolean; stop: string[] } {
  if (overlap === 'REPLACE') return { isSkipped: false, stop: open.map(({ id }) => id) }
  const isFull = overlap === 'SKIP' ? open.length > 0 : open.some(({ status }) => status === 'QUEUED')
  return { isSkipped: isFull, stop: [] }
}
