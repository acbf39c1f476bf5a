import type { DmarcReport } from '../../infra/mail-reports/mail-reports.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export function reportProblem(
  report: Pick<DmarcReport, 'domain' | 'begin' | 'end'>,
  { domain, keptDays, now }: { domain: string; keptDays: number; now: Date }
): string | undefined {
  if (report.domain !== domain) return `it is about ${report.domain}`
  if (report.begin.getTime() > now.getTime() + dayMs) return 'it covers a future period'
  if (report.begin.getTime() < now.getTime() - keptDays * dayMs) return 'it covers a period older than the retention'
  return undefined
}

/** Large receivers send one report per day, some one per hour. */
const perHour = 120

/** Per domain, so that a flood affects only the reports of that domain. In memory: one process reads reports. */
export function createArrivalLimit(maxDomains = 100_000) {
  const arrivals = new Map<string, { since: number; count: number }>()
  return {
    take(domain: string, now: number): boolean {
      const found = arrivals.get(domain)
      if (found && now - found.since < hourMs) return ++found.count <= perHour
      if (arrivals.size >= maxDomains) arrivals.clear()
      arrivals.set(domain, { since: now, count: 1 })
      return true
    }
  }
}

export function daysOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date
): { from: string; to: string } {
  const last = to ?? dayOf(now)
  return { from: from ?? dayOf(new Date(Date.parse(last) - 29 * dayMs)), to: last }
}

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
