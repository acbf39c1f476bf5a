import { pagination } from '@panel/contract/common'
import type { DmarcQuery, DmarcSource, DmarcSummary } from '@panel/contract/mail-reports'
import type { Dependencies } from '../../dependencies.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import { daysOf } from './acceptance.policy.ts'
import { lastArrival, listSources, sumUpSources } from './mail-reports.repository.ts'

export async function readDmarcSummary(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  domainId: string,
  query: DmarcQuery
): Promise<DmarcSummary> {
  const domain = await getOwnDomain(db, domainId, userId)
  const days = daysOf(query, now())
  const [{ rows, total }, { reports, messages, passing }, lastReportAt] = await Promise.all([
    listSources(db, domainId, { ...query, ...days }),
    sumUpSources(db, domainId, days),
    lastArrival(db, domainId)
  ])
  return {
    domainId,
    domain: domain.hostname,
    reportAddress: `postmaster@${domain.hostname}`,
    ...days,
    totals: { reports, messages, passing, failing: messages - passing },
    lastReportAt: lastReportAt?.toISOString() ?? null,
    sources: rows.map(sourceView),
    pagination: pagination(query.page, query.limit, total)
  }
}

type FoundSource = Awaited<ReturnType<typeof listSources>>['rows'][number]

const sourceView = ({ row, reporter }: FoundSource): DmarcSource => ({
  day: row.day,
  sourceIp: row.sourceIp,
  messages: row.messages,
  passes: row.dkimAligned || row.spfAligned,
  dkim: row.dkimAligned ? 'pass' : 'fail',
  spf: row.spfAligned ? 'pass' : 'fail',
  disposition: row.disposition,
  reporter,
  reportId: row.reportId,
  headerFrom: row.headerFrom,
  dkimDomain: row.dkimDomain,
  spfDomain: row.spfDomain
})
