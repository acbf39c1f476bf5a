import type { Dependencies } from '../../dependencies.ts'
import type { DmarcReport } from '../../infra/mail-reports/mail-reports.ts'
import { createArrivalLimit, reportProblem } from './acceptance.policy.ts'
import { findMailDomainNamed, insertReport } from './mail-reports.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'now'>

/** What is done with mail to the report address of a domain. */
export interface ReportArrivals {
  /** Whether another message is taken for the domain. */
  isWanted(domain: string): Promise<boolean>
  /** Rejects where the store does not take them: they come again. */
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

/** A report is about one domain, and counts where it was sent to that one's address alone. */
async function keepReport(deps: Deps, domain: string, report: DmarcReport): Promise<void> {
  const now = deps.now()
  const problem = reportProblem(report, { domain, keptDays: deps.config.MAIL_REPORTS_KEEP_DAYS, now })
  if (problem !== undefined)
    return deps.logger.info({ mailDomain: domain, reporter: report.reporter, problem }, 'report of mail left out')
  await deps.db.transaction(async (trx) => {
    const domainId = await findMailDomainNamed(trx, domain)
    if (domainId !== undefined) await insertReport(trx, domainId, report, now)
  })
}
