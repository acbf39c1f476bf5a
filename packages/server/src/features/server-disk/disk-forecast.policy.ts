import type { DiskForecast } from '@panel/contract/server-disk'

interface UsagePoint {
  at: Date
  usedBytes: number
}

const dayMs = 24 * 3600_000
/** Long enough to even out the days of a week, short enough to notice a change. */
export const historyDays = 14
/** Less history says more about the time of day than about growth. */
const leastMs = dayMs
const leastPoints = 12
const farDays = 3650

/** Straight line through the history (least squares), and when it reaches the capacity from what is used now. */
export function forecastDisk(
  points: readonly UsagePoint[],
  { usedBytes, capacityBytes }: { usedBytes: number; capacityBytes: number }
): DiskForecast | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < leastPoints) return null
  if (last.at.getTime() - first.at.getTime() < leastMs) return null
  const days = points.map(({ at }) => (at.getTime() - first.at.getTime()) / dayMs)
  const bytesPerDay = slopeOf(
    days,
    points.map((point) => point.usedBytes)
  )
  const left = Math.max(0, capacityBytes - usedBytes) / bytesPerDay
  const daysUntilFull = bytesPerDay > 0 && left <= farDays ? left : null
  return { bytesPerDay, daysUntilFull, since: first.at.toISOString() }
}

function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const covariance = xs.reduce((sum, each, i) => sum + (each - x) * (ys[i]! - y), 0)
  const variance = xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}
