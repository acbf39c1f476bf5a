import { createHash } from 'node:crypto'

const minuteMs = 60_000
const doubtMs = 30_000
const slackMs = 60_000

interface Pace {
  id: string
  intervalMinutes: number
}

/** Time of the next run: a fixed offset per check spreads them over the interval. */
export function nextRunAfter({ id, intervalMinutes }: Pace, now: Date): Date {
  const interval = intervalMinutes * minuteMs
  const place = createHash('sha256').update(id).digest().readUInt32BE(0) % interval
  const earliest = now.getTime() + interval / 2
  return new Date(Math.ceil((earliest - place) / interval) * interval + place)
}

export const soonAfter = (pace: Pace, now: Date): Date =>
  new Date(Math.min(now.getTime() + doubtMs, nextRunAfter(pace, now).getTime()))

/**
 * The time before a run that its result covers, and whether there is a gap before that. A clock set back counts as a
 * gap.
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

export const isOutdated = (intervalMinutes: number, lastKnownAt: Date | null, now: Date): boolean =>
  lastKnownAt === null || Math.abs(now.getTime() - lastKnownAt.getTime()) > 3 * intervalMinutes * minuteMs + slackMs
