import type { BackupSchedule } from '@panel/contract/backup-schedule'
import type { BackupTrigger } from '@panel/contract/backups'
import { latestMatch, parseCron } from '../../time/cron.policy.ts'

export const defaultSchedule: BackupSchedule = {
  isEnabled: true,
  hour: 3,
  minute: 20,
  weekdays: [],
  drills: 'WEEKLY',
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 6,
  uploadLimitKib: null,
  windowFromHour: null,
  windowUntilHour: null
}

export type BackupTimes = Pick<BackupSchedule, 'isEnabled' | 'hour' | 'minute' | 'weekdays'>

/** The latest time at or before `now` at which backups were due; undefined if the schedule is disabled. */
export function latestSlot(
  { isEnabled, hour, minute, weekdays }: BackupTimes,
  timezone: string,
  now: Date
): Date | undefined {
  if (!isEnabled) return undefined
  const days = weekdays.length === 0 ? '*' : [...new Set(weekdays)].sort().join(',')
  return latestMatch(parseCron(`${minute} ${hour} * * ${days}`, timezone), now)
}

/** Backups that may start now: scheduled ones only within the time window. */
export function startableTriggers(
  { windowFromHour: from, windowUntilHour: until }: Pick<BackupSchedule, 'windowFromHour' | 'windowUntilHour'>,
  timezone: string,
  now: Date
): BackupTrigger[] {
  if (from === null || until === null) return ['MANUAL', 'SCHEDULE']
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: timezone }).format(now))
  const isWithin = from < until ? from <= hour && hour < until : from <= hour || hour < until
  return isWithin ? ['MANUAL', 'SCHEDULE'] : ['MANUAL']
}

const dayMs = 24 * 3600_000

/** A target is overdue a day after a slot without a good backup since. `since`: when it could first have had one. */
export function isOverdue(
  schedule: BackupSchedule,
  timezone: string,
  now: Date,
  target: { lastGoodAt: Date | null; since: Date }
): boolean {
  const slot = latestSlot(schedule, timezone, new Date(now.getTime() - dayMs))
  return slot !== undefined && target.since < slot && (target.lastGoodAt === null || target.lastGoodAt < slot)
}
