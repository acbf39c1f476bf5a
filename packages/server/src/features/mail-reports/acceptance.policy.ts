import type { DmarcReport } from '../../infra/mail-reports/mail-reports.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Why a report about a domain is none that is kept; undefined where it is. */
export function reportProblem(
  report: Pick<DmarcReport, 'domain' | 'begin' | 'end'>,
  { domain, keptDays, now }: { domain: string; keptDays: number; now: Date }
): string | undefined {
  if (report.domain !== domain) return `it is about ${report.domain}`
  if (report.begin.getTime() > now.getTime() + dayMs) return 'it is about days to come'
  if (report.begin.getTime() < now.getTime() - keptDays * dayMs) return 'it is about days that are long over'
  return undefined
}

/** The larger receivers send one a day each; some send one for each hour. */
const perHour = 120

/**
 * Counts messages to the address of a domain, so that whoever floods it wears out this reading of reports alone, and that of one domain: its mail
 * arrives all the same. In memory: the process that reads is one at a time.
 */
export function createArrivalLimit(maxDomains = 100_000) {
  const arrivals = new Map<string, { since: number; count: number }>()
  return {
    /** Whether another one is taken. */
    take(domain: string, now: number): boolean {
      const found = arrivals.get(domain)
      if (found && now - found.since < hourMs) return ++found.count <= perHour
      if (arrivals.size >= maxDomains) arrivals.clear()
      arrivals.set(domain, { since: now, count: 1 })
      return true
    }
  }
}

/** The days that a list is about. */
export function daysOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date
): { from: string; to: string } {
  const last = to ?? dayOf(now)
  return { from: from ?? dayOf(new Date(Date.parse(last) - 29 * dayMs)), to: last }
}

/** In UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
