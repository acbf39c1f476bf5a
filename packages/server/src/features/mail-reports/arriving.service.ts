import type { Dependencies } from '../../dependencies.ts'
import type { DmarcReport } from '../../infra/mail-reports/mail-reports.ts'
import { createArrivalLimit, reportProblem } from './acceptance.policy.ts'
import { findMailDomainNamed, insertReport } from './mail-reports.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'now'>

export interface ReportArrivals {
  isWanted(domain: string): Promise<boolean>
  /** Rejects if the database is unavailable; the message is then retried. */
  keep(domain: string, reports: readonly DmarcReport[]): Promise<void>
}

export function createReportArrivals(deps: Deps): ReportArrivals {
  const limit = createArrivalLimit()
  return {
    isWanted: async (domain) =>
      (await findMailDomainNamed(deps.db, domain)) !== undefined && limit.take(domain, deps.now().getTime()),
    async keep(domain, reports) {
      for (const report of reports) await keepReport(deps, domain, report)
    }
  }
}

/** Only reports about the domain that received them count. */
async function keepReport(deps: Deps, domain: string, report: DmarcReport): Promise<void> {
  const now = deps.now()
  const problem = reportProblem(report, { domain, keptDays: deps.config.MAIL_REPORTS_KEEP_DAYS, now })
  if (problem !== undefined)
    return deps.logger.info({ mailDomain: domain, reporter: report.reporter, problem }, 'DMARC report discarded')
  await deps.db.transaction(async (trx) => {
    const domainId = await findMailDomainNamed(trx, domain)
    if (domainId !== undefined) await insertReport(trx, domainId, report, now)
  })
}
