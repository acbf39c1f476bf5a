import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { projectQuery } from '../projects/project.queries.ts'
import classes from './monitoring.module.css'
import { monitoringMessages } from './monitoring.messages.ts'
import { projectMetricsQuery, trafficQuery } from './monitoring.queries.ts'
import { ProcessSelect } from './process-select.tsx'
import { ProjectCharts } from './project-charts.tsx'
import { RangeFilter } from './range-filter.tsx'
import { TrafficCharts } from './traffic-charts.tsx'

export function ProjectMonitoringTab() {
  const t = useMessages(monitoringMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/monitoring' })
  const { range = '24h', process } = useSearch({ from: '/signed-in/projects/$projectId/monitoring' })
  const { data: project } = useQuery(projectQuery(projectId))
  const traffic = useQuery({ ...trafficQuery(projectId, range), enabled: process === undefined })
  const metrics = useQuery(projectMetricsQuery(projectId, range, process))
  if (project?.deployedAt === null) return <EmptyState title={t('notDeployed')} hint={t('notDeployed.hint')} />
  return (
    <>
      <div className={classes.bar}>
        <ProcessSelect projectId={projectId} selected={process} />
        <RangeFilter selected={range} standard="24h" />
      </div>
      {process !== undefined ? null : traffic.data ? (
        <TrafficCharts traffic={traffic.data} isOld={traffic.isPlaceholderData} />
      ) : traffic.error ? (
        <ErrorState error={traffic.error} onRetry={() => void traffic.refetch()} />
      ) : (
        <RowsSkeleton rows={3} height={120} />
      )}
      {metrics.data ? (
        <ProjectCharts metrics={metrics.data} isOld={metrics.isPlaceholderData} isSite={process === undefined} />
      ) : metrics.error ? (
        <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />
      ) : (
        <RowsSkeleton rows={3} height={120} />
      )}
    </>
  )
}
