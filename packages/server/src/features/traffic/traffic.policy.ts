import type { MetricRange } from '@panel/contract/monitoring'
import type { Traffic } from '@panel/contract/traffic'
import { addPacked, noTimes, quantileMs } from '../../time/response-times.policy.ts'
import type { TrafficBatch, TrafficRow } from './traffic.repository.ts'

const rangeSteps: Readonly<Record<MetricRange, { seconds: number; stepSeconds: number }>> = {
  '1h': { seconds: 3_600, stepSeconds: 60 },
  '24h': { seconds: 24 * 3_600, stepSeconds: 60 },
  '7d': { seconds: 7 * 24 * 3_600, stepSeconds: 900 },
  '30d': { seconds: 30 * 24 * 3_600, stepSeconds: 3_600 }
}

export const keptMinutes = 25 * 60
export const keptDays = 31
// Upper bound for batches that wait while the database is unavailable, a few hundred bytes per site.
const maxWaitingSites = 100_000

type Counted = Pick<TrafficRow, 'requests' | 'clientErrors' | 'serverErrors' | 'bytesIn' | 'bytesOut' | 'times'>

function figuresOf(rows: readonly Counted[]): Traffic['total'] {
  const times = noTimes()
  const sums = { requests: 0, clientErrors: 0, serverErrors: 0, bytesIn: 0, bytesOut: 0 }
  for (const row of rows) {
    addPacked(times, row.times)
    sums.requests += row.requests
    sums.clientErrors += row.clientErrors
    sums.serverErrors += row.serverErrors
    sums.bytesIn += row.bytesIn
    sums.bytesOut += row.bytesOut
  }
  return {
    ...sums,
    errorShare: sums.requests === 0 ? null : sums.serverErrors / sums.requests,
    p50Ms: quantileMs(times, 0.5),
    p95Ms: quantileMs(times, 0.95)
  }
}

const floorTo = (at: Date, seconds: number): number => Math.floor(at.getTime() / (seconds * 1000)) * seconds * 1000
export const minuteOf = (at: Date): Date => new Date(floorTo(at, 60))
export const quarterOf = (at: Date): Date => new Date(floorTo(at, 900))

export const beginOf = (range: MetricRange, now: Date): Date => {
  const { seconds, stepSeconds } = rangeSteps[range]
  return new Date(floorTo(now, stepSeconds) - (seconds - stepSeconds) * 1000)
}

export function trafficOf(range: MetricRange, rows: readonly TrafficRow[]): Traffic {
  const { stepSeconds } = rangeSteps[range]
  const steps = new Map<number, TrafficRow[]>()
  for (const row of rows) {
    const at = floorTo(row.at, stepSeconds)
    const step = steps.get(at)
    if (step) step.push(row)
    else steps.set(at, [row])
  }
  const points = [...steps].map(([at, group]) => ({ at: new Date(at).toISOString(), ...figuresOf(group) }))
  return { range, stepSeconds, total: figuresOf(rows), points }
}

/** Drops the oldest waiting batches above the limit (keeping at least one) and returns how many requests they had. */
export function leftOut(waiting: readonly TrafficBatch[], room = maxWaitingSites) {
  let sites = 0
  let lost = 0
  const kept: TrafficBatch[] = []
  for (const batch of [...waiting].reverse()) {
    sites += batch.sites.length
    if (kept.length === 0 || sites <= room) kept.unshift(batch)
    else lost += batch.lost + batch.sites.reduce((sum, { requests }) => sum + requests, 0)
  }
  return { kept, lost }
}
