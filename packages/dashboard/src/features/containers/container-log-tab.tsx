import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useLive } from '../../live/use-live.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { LogViewer } from '../../ui/log-viewer/log-viewer.tsx'
import { useGrowingLog } from '../../ui/log-viewer/use-growing-log.ts'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './container-log-tab.module.css'
import { containerMessages } from './containers.messages.ts'
import { containerLogQuery } from './containers.queries.ts'
import { useContainerLog } from './use-container-log.ts'

/** As the container writes it; while the channel is away, asked for again and again. */
export function ContainerLogTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/logs' })
  const { state } = useLive()
  return state === 'away' ? <AskedLog projectId={projectId} /> : <FollowedLog projectId={projectId} />
}

function FollowedLog({ projectId }: { projectId: string }) {
  const t = useMessages(containerMessages)
  const { buffer, state } = useContainerLog(projectId)
  if (state === undefined) return <RowsSkeleton />
  if (state === 'CONTAINER_MISSING') return <NothingRuns />
  return (
    <Log projectId={projectId} buffer={buffer}>
      {state === 'STOPPED' && <Notice tone="warn">{t('stopped')}</Notice>}
      {state === 'CONTAINER_ENGINE_UNAVAILABLE' && <Notice tone="bad">{t('engineAway')}</Notice>}
    </Log>
  )
}

function AskedLog({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(containerLogQuery(projectId))
  const buffer = useGrowingLog(data?.logs ?? '')
  if (isApiError(error, 'CONTAINER_MISSING')) return <NothingRuns />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data ? <Log projectId={projectId} buffer={buffer} /> : <RowsSkeleton />
}

function NothingRuns() {
  const t = useMessages(containerMessages)
  return <EmptyState title={t('missing')} hint={t('missing.hint')} />
}

function Log({ projectId, buffer, children }: { projectId: string; buffer: LogBuffer; children?: ReactNode }) {
  const t = useMessages(containerMessages)
  const { find = '' } = useSearch({ from: '/signed-in/projects/$projectId/logs' })
  const navigate = useNavigate({ from: '/projects/$projectId/logs' })
  return (
    <div className={classes.log}>
      {children}
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
