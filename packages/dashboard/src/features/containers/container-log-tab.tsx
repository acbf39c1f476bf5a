import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { isApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { LogViewer } from '../../ui/log-viewer/log-viewer.tsx'
import { useGrowingLog } from '../../ui/log-viewer/use-growing-log.ts'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './container-log-tab.module.css'
import { containerMessages } from './containers.messages.ts'
import { containerLogQuery } from './containers.queries.ts'

export function ContainerLogTab() {
  const t = useMessages(containerMessages)
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/logs' })
  const { find = '' } = useSearch({ from: '/signed-in/projects/$projectId/logs' })
  const navigate = useNavigate({ from: '/projects/$projectId/logs' })
  const { data, error, refetch } = useQuery(containerLogQuery(projectId))
  const buffer = useGrowingLog(data?.logs ?? '')
  if (isApiError(error, 'CONTAINER_MISSING')) return <EmptyState title={t('missing')} hint={t('missing.hint')} />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton />
  return (
    <div className={classes.log}>
      <LogViewer
        buffer={buffer}
        label={t('log')}
        fileName={`container-${projectId}.log`}
        isLive
        find={find}
        onFind={(text) => void navigate({ search: { find: text === '' ? undefined : text }, replace: true })}
      />
    </div>
  )
}
