import { createHash } from 'node:crypto'

const minuteMs = 60_000
const doubtMs = 30_000
/** A run that comes later than this after it was due leaves a gap behind. */
const slackMs = 60_000

interface Pace {
  id: string
  intervalMinutes: number
}

/**
 * When the next run is due: at the check's own place in the interval, so that those of many do not come together, and not so soon that it
 * follows upon this one.
 */
export function nextRunAfter({ id, intervalMinutes }: Pace, now: Date): Date {
  const interval = intervalMinutes * minuteMs
  const place = createHash('sha256').update(id).digest().readUInt32BE(0) % interval
  const earliest = now.getTime() + interval / 2
  return new Date(Math.ceil((earliest - place) / interval) * interval + place)
}

/** When a check that may change its state runs again. */
export const soonAfter = (pace: Pace, now: Date): Date =>
  new Date(Math.min(now.getTime() + doubtMs, nextRunAfter(pace, now).getTime()))

/**
 * The time before a run that it speaks for, and whether more than that has passed: then nothing is known of the rest. A clock that was set
 * back shows as a time that has not passed.
 */
export function timeBefore(
  intervalMinutes: number,
  lastKnownAt: Date | null,
  at: Date
): { seconds: number; isAfterGap: boolean } {
  if (lastKnownAt === null) return { seconds: 1, isAfterGap: false }
  const passed = at.getTime() - lastKnownAt.getTime()
  if (passed < 0) return { seconds: 1, isAfterGap: true }
  const most = 1.5 * intervalMinutes * minuteMs + slackMs
  const isAfterGap = passed > most
  return { seconds: Math.max(1, Math.round((isAfterGap ? intervalMinutes * minuteMs : passed) / 1000)), isAfterGap }
}

/** Whether what the last run told is too long ago to be told on. */
export const isOutdated = (intervalMinutes: number, lastKnownAt: Date | null, now: Date): boolean =>
  lastKnownAt === null || Math.abs(now.getTime() - lastKnownAt.getTime()) > 3 * intervalMinutes * minuteMs + slackMs
