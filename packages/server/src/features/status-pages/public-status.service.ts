import type { PublicStatus } from '@panel/contract/status-pages'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { listChecks, listDays, listIncidentsSince } from '../uptime-checks/uptime-check-access.ts'
import { lengthOf, stateNow } from '../uptime-checks/uptime-check-view.ts'
import { lastDays, uptimeOf, worstOf } from '../uptime-checks/uptime-figures.policy.ts'
import { findPublicPage, type StatusPageRow } from './status-pages.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'now'>

const freshMs = 15_000
const maxPages = 500
const maxIncidents = 50

/**
 * Cached for some seconds, whatever the number of visitors. Whether the page is public is read on every request, so
 * that a disabled page is NOT_FOUND at once.
 */
export function createPublicStatuses(deps: Deps) {
  const made = new Map<string, { until: number; version: number; status: Promise<PublicStatus> }>()
  return async function readPublicStatus(slug: string): Promise<PublicStatus> {
    const page = await findPublicPage(deps.db, slug)
    if (!page) throw new AppError('NOT_FOUND', 'Status page not found')
    const version = page.updatedAt.getTime()
    const known = made.get(page.projectId)
    if (known && known.version === version && performance.now() < known.until) return known.status
    if (made.size >= maxPages) made.clear()
    const status = makeStatus(deps, page)
    made.set(page.projectId, { until: performance.now() + freshMs, version, status })
    status.catch(() => made.delete(page.projectId)) // Do not cache a failure.
    return status
  }
}

async function makeStatus({ db, now }: Deps, page: StatusPageRow): Promise<PublicStatus> {
  const at = now()
  const days = lastDays(page.showDays, at)
  const from = new Date(`${days[0]}T00:00:00Z`)
  const checks = (await listChecks(db, page.projectId)).filter(({ onStatusPage }) => onStatusPage)
  const ids = checks.map(({ id }) => id)
  const [sums, incidents] = await Promise.all([
    listDays(db, ids, from),
    listIncidentsSince(db, ids, from, maxIncidents)
  ])
  const names = new Map(checks.map(({ id, name }) => [id, name]))
  const states = checks.map((check) => stateNow(check, at))
  return {
    title: page.title,
    state: worstOf(states),
    checks: checks.map(({ id, name }, index) => {
      const own = sums.filter(({ checkId }) => checkId === id)
      const byDay = new Map(own.map((row) => [row.day, row]))
      return {
        name,
        state: states[index]!,
        uptime: uptimeOf({
          upSeconds: own.reduce((sum, row) => sum + row.upSeconds, 0),
          downSeconds: own.reduce((sum, row) => sum + row.downSeconds, 0)
        }),
        days: days.map((day) => ({ day, uptime: uptimeOf(byDay.get(day) ?? { upSeconds: 0, downSeconds: 0 }) }))
      }
    }),
    incidents: incidents.map((incident) => ({
      name: names.get(incident.checkId)!,
      from: incident.startedAt.toISOString(),
      to: incident.endedAt?.toISOString() ?? null,
      seconds: lengthOf(incident, at)
    })),
    showDays: page.showDays,
    generatedAt: at.toISOString()
  }
}
