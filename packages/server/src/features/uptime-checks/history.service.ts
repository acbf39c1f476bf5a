import { pagination } from '@panel/contract/common'
import type { UptimeIncidentList, UptimePoint, UptimeRange, UptimeResults } from '@panel/contract/uptime-checks'
import type { Dependencies } from '../../dependencies.ts'
import { listIncidents, listLatest, listPoints } from './history.repository.ts'
import { firstHourOf, unknownSeconds, uptimeOf } from './uptime-figures.policy.ts'
import { incidentView } from './uptime-check-view.ts'
import { getOwnCheck } from './uptime-checks.service.ts'

type Deps = Pick<Dependencies, 'db' | 'now'>
type Points = Awaited<ReturnType<typeof listPoints>>

const latestRuns = 100
const unitOf = { '24h': 'hour', '7d': 'hour', '30d': 'day', '90d': 'day' } as const

export async function readResults(
  { db, now }: Deps,
  userId: string,
  { projectId, checkId, range }: { projectId: string; checkId: string; range: UptimeRange }
): Promise<UptimeResults> {
  const check = await getOwnCheck({ db }, userId, projectId, checkId)
  const at = now()
  const from = firstHourOf(range, at)
  const [points, latest] = await Promise.all([
    listPoints(db, check.id, from, unitOf[range]),
    listLatest(db, check.id, latestRuns)
  ])
  const sums = {
    upSeconds: points.reduce((sum, point) => sum + point.upSeconds, 0),
    downSeconds: points.reduce((sum, point) => sum + point.downSeconds, 0)
  }
  return {
    checkId: check.id,
    range,
    uptime: uptimeOf(sums),
    ...sums,
    unknownSeconds: unknownSeconds(sums, { from, createdAt: check.createdAt, now: at }),
    points: points.map(pointView),
    latest: latest.map(({ at, outcome, status, ms, reason, tlsDaysLeft }) => ({
      at: at.toISOString(),
      outcome,
      status,
      ms,
      reason,
      tlsDaysLeft
    }))
  }
}

const pointView = ({ from, answers, sumMs, maxMs, ...sums }: Points[number]): UptimePoint => ({
  from: from.toISOString(),
  uptime: uptimeOf(sums),
  ...sums,
  averageMs: answers === 0 ? null : Math.round(sumMs / answers),
  maxMs: answers === 0 ? null : maxMs
})

export async function readIncidents(
  { db, now }: Deps,
  userId: string,
  { projectId, checkId, page, limit }: { projectId: string; checkId: string; page: number; limit: number }
): Promise<UptimeIncidentList> {
  const check = await getOwnCheck({ db }, userId, projectId, checkId)
  const { rows, total } = await listIncidents(db, check.id, { limit, offset: (page - 1) * limit })
  return { incidents: rows.map((row) => incidentView(row, now())), pagination: pagination(page, limit, total) }
}
