import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { meQuery } from '../auth/me.queries.ts'
import { ContainerTable } from './container-table.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { RangeFilter } from './range-filter.tsx'
import { ServerCharts } from './server-charts.tsx'
import { ServerNowSection } from './server-now.tsx'
import { useLiveMetrics } from './use-live-metrics.ts'

export function MonitoringPage() {
  const t = useMessages(monitoringMessages)
  const { range = '1h' } = useSearch({ from: '/signed-in/server/monitoring' })
  const { data: me } = useQuery(meQuery)
  const polling = useLiveMetrics()
  const isAdmin = me?.role === 'ADMIN'
  return (
    <>
      <PageHeader title={t('title')} actions={isAdmin && <RangeFilter selected={range} standard="1h" />} />
      {isAdmin && (
        <>
          <ServerNowSection polling={polling} />
          <ServerCharts range={range} />
        </>
      )}
      <ContainerTable polling={polling} isOfAll={isAdmin} />
    </>
  )
}
