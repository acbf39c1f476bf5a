import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Facts } from '../../ui/facts.tsx'
import { Filter } from '../../ui/filter.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'
import { reportsPerPage, reportsQuery } from './mail-auth.queries.ts'

export function DmarcReports({ domainId }: { domainId: string }) {
  const t = useMessages(mailAuthMessages)
  const search = useSearch({ from: '/signed-in/domains/$domainId/mail' })
  const { data: reports, error, refetch } = useQuery(reportsQuery(domainId, search))
  const options = [
    { value: 'all', label: t('reports.every') },
    { value: 'pass', label: t('reports.pass') },
    { value: 'fail', label: t('reports.fail') }
  ] as const
  return (
    <Section title={t('reports')} hint={reports && t('reports.hint', { address: reports.reportAddress })}>
      {error && !reports && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !reports && <RowsSkeleton rows={3} />}
      {reports?.lastReportAt === null && <EmptyState title={t('reports.none')} hint={t('reports.none.hint')} />}
      {reports && reports.lastReportAt !== null && (
        <div className={classes.gap}>
          <Totals reports={reports} lastReportAt={reports.lastReportAt} />
          <div className={classes.row}>
            <Filter label={t('reports.result')} name="result" options={options} selected={search.result ?? 'all'} />
          </div>
          {reports.sources.length === 0 ? (
            <EmptyState title={t('reports.nothing')} />
          ) : (
            <Sources sources={reports.sources} />
          )}
          <Pagination page={search.page ?? 1} limit={reportsPerPage} total={reports.pagination.total} />
        </div>
      )}
    </Section>
  )
}

function Totals({ reports, lastReportAt }: { reports: Schema<'DmarcSummary'>; lastReportAt: string }) {
  const t = useMessages(mailAuthMessages)
  const { number, percent } = useI18n()
  const { messages, passing, failing } = reports.totals
  return (
    <Facts
      rows={[
        { name: t('reports.messages'), value: number(messages) },
        {
          name: t('reports.pass'),
          value: messages === 0 ? '–' : `${number(passing)} (${percent(passing / messages)})`
        },
        { name: t('reports.fail'), value: number(failing) },
        { name: t('reports.last'), value: <Time at={lastReportAt} /> }
      ]}
    />
  )
}

function Sources({ sources }: { sources: readonly Schema<'DmarcSource'>[] }) {
  const t = useMessages(mailAuthMessages)
  const { number } = useI18n()
  return (
    <ScrollRegion label={t('reports.sources')}>
      <table className={card.table}>
        <thead>
          <tr>
            <th scope="col">{t('reports.source')}</th>
            <th scope="col">{t('reports.day')}</th>
            <th scope="col">{t('reports.result')}</th>
            <th scope="col">{t('reports.reporter')}</th>
            <th scope="col" className={card.end}>
              {t('reports.messages')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr
              key={`${source.reportId} ${source.sourceIp} ${source.dkim} ${source.spf} ${source.disposition} ${source.headerFrom} ${source.dkimDomain} ${source.spfDomain}`}
            >
              <td dir="ltr">{source.sourceIp ?? t('reports.many')}</td>
              <td className={classes.nowrap}>{source.day}</td>
              <td className={classes.nowrap}>
                <StatusBadge tone={source.passes ? 'ok' : 'bad'}>
                  {t(source.passes ? 'reports.pass' : 'reports.fail')}
                </StatusBadge>{' '}
                <span className={card.sub}>{t(`disposition.${source.disposition}`)}</span>
              </td>
              <td className={card.sub}>
                <Foreign>{source.reporter}</Foreign>
              </td>
              <td className={card.end}>{number(source.messages)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
