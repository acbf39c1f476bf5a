import type { MetricRange } from '@panel/contract/monitoring'

const hour = 60
const day = 24 * hour

const ranges: Readonly<Record<MetricRange, { back: number; minutes: number; kept: number }>> = {
  '1h': { back: hour, minutes: 1, kept: 1 },
  '24h': { back: day, minutes: 1, kept: 1 },
  '7d': { back: 7 * day, minutes: 10, kept: 15 },
  '30d': { back: 30 * day, minutes: 30, kept: 15 }
}

export function windowOf(range: MetricRange, now: Date) {
  const { back, minutes, kept } = ranges[range]
  const point = minutes * 60_000
  const first = Math.ceil((now.getTime() - back * 60_000) / point) * point
  return { after: new Date(first - 1), until: now, minutes: Math.max(minutes, 1), kept }
}

export const keptDays = { 1: 2, 15: 31, 1440: 400 } as const
export const snapshotDays = 30

export const minuteOf = (time: Date): Date => new Date(Math.floor(time.getTime() / 60_000) * 60_000)
