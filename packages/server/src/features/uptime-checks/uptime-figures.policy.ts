import type { UptimeRange, UptimeState } from '@panel/contract/uptime-checks'

const hourMs = 3_600_000

const rangeHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const satisfies Record<
  UptimeRange,
  number
>

/** The first hour of a range that ends with the hour of `now`. All hours and days are those of UTC, which have no summer time. */
export const firstHourOf = (range: UptimeRange, now: Date): Date =>
  new Date(hourOf(now).getTime() - (rangeHours[range] - 1) * hourMs)

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

/** The days up to today, the first of them first, as dates in UTC. */
export function lastDays(count: number, now: Date): string[] {
  const today = Math.floor(now.getTime() / (24 * hourMs))
  return Array.from({ length: count }, (_, at) =>
    new Date((today - count + 1 + at) * 24 * hourMs).toISOString().slice(0, 10)
  )
}

/** Percent of the known time, to two decimals; what was down for a moment is not rounded up to 100. Null where nothing is known. */
export function uptimeOf({ upSeconds, downSeconds }: { upSeconds: number; downSeconds: number }): number | null {
  const known = upSeconds + downSeconds
  if (known === 0) return null
  const percent = (100 * upSeconds) / known
  return Math.floor(Math.round(percent * 1e6) / 1e4) / 100
}

/** What is neither up nor down of a range since the check was made. */
export function unknownSeconds(
  sums: { upSeconds: number; downSeconds: number },
  { from, createdAt, now }: { from: Date; createdAt: Date; now: Date }
): number {
  const all = Math.round((now.getTime() - Math.max(from.getTime(), createdAt.getTime())) / 1000)
  return Math.max(0, all - sums.upSeconds - sums.downSeconds)
}

/** The seconds before `at`, by the hour in which they lie. */
export function splitByHour(at: Date, seconds: number): { hour: Date; seconds: number }[] {
  const parts: { hour: Date; seconds: number }[] = []
  let end = at.getTime()
  let left = seconds
  while (left > 0) {
    const hour = hourOf(new Date(end - 1))
    const taken = Math.min(left, Math.max(1, Math.round((end - hour.getTime()) / 1000)))
    parts.push({ hour, seconds: taken })
    left -= taken
    end = hour.getTime()
  }
  return parts
}

const worstFirst = ['DOWN', 'UNKNOWN', 'UP', 'PAUSED'] as const satisfies readonly UptimeState[]

/** Of several checks together: the worst; those that rest say nothing unless all do. Without any it is not known. */
export const worstOf = (states: readonly UptimeState[]): UptimeState =>
  worstFirst.find((state) => states.includes(state)) ?? 'UNKNOWN'
