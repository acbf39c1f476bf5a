import type { UptimeRange, UptimeState } from '@panel/contract/uptime-checks'

const hourMs = 3_600_000

const rangeHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const satisfies Record<
  UptimeRange,
  number
>

/** First hour of a range that ends with the hour of `now`. All hours and days are UTC, without DST. */
export const firstHourOf = (range: UptimeRange, now: Date): Date =>
  new Date(hourOf(now).getTime() - (rangeHours[range] - 1) * hourMs)

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

export function lastDays(count: number, now: Date): string[] {
  const today = Math.floor(now.getTime() / (24 * hourMs))
  return Array.from({ length: count }, (_, at) =>
    new Date((today - count + 1 + at) * 24 * hourMs).toISOString().slice(0, 10)
  )
}

/** Percentage of known time with two decimals, never rounded up to 100. null if nothing is known. */
export function uptimeOf({ upSeconds, downSeconds }: { upSeconds: number; downSeconds: number }): number | null {
  const known = upSeconds + downSeconds
  if (known === 0) return null
  const percent = (100 * upSeconds) / known
  return Math.floor(Math.round(percent * 1e6) / 1e4) / 100
}

export function unknownSeconds(
  sums: { upSeconds: number; downSeconds: number },
  { from, createdAt, now }: { from: Date; createdAt: Date; now: Date }
): number {
  const all = Math.round((now.getTime() - Math.max(from.getTime(), createdAt.getTime())) / 1000)
  return Math.max(0, all - sums.upSeconds - sums.downSeconds)
}

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

/** The worst state. Paused checks are ignored unless all are paused. UNKNOWN without checks. */
export const worstOf = (states: readonly UptimeState[]): UptimeState =>
  worstFirst.find((state) => states.includes(state)) ?? 'UNKNOWN'
