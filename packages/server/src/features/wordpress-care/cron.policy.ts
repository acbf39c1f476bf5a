import { createHash } from 'node:crypto'

const minuteMs = 60_000
const lateAfterMs = 10 * minuteMs

/** A number below `limit` that stays the same for a site, so that sites are spread evenly. */
const spread = (id: string, limit: number): number => createHash('sha256').update(id).digest().readUInt32BE(0) % limit

/** Once a minute, at the site's own second. */
export function nextCheck(projectId: string, now: Date): Date {
  const offset = spread(projectId, minuteMs)
  const passed = (now.getTime() - offset) % minuteMs
  return new Date(now.getTime() - passed + minuteMs)
}

/**
 * The time of the first event in WordPress' option `cron`, a serialized array by time, sorted, of which the beginning is
 * enough. Undefined if there is none.
 */
export function firstEventAt(option: string | undefined): Date | undefined {
  const seconds = /^a:\d+:\{i:(\d{1,11});/.exec(option ?? '')?.[1]
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000)
}

/** The due time of an event that nothing has run for more than ten minutes. */
export const lateSince = (first: Date | undefined, now: Date): Date | null =>
  first !== undefined && now.getTime() - first.getTime() > lateAfterMs ? first : null

const dayMs = 24 * 3600_000
const windowStartMs = 3600_000
const windowMs = 4 * 3600_000

/** Once a day between 01:00 and 05:00 UTC, at the site's own time. */
export function nextUpdate(projectId: string, now: Date): Date {
  const offset = windowStartMs + spread(projectId, windowMs)
  const passed = (now.getTime() - offset) % dayMs
  return new Date(now.getTime() - passed + dayMs)
}
