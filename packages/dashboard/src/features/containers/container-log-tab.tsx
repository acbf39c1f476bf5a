import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isApiError } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { useLive } from '../../live/use-live.ts'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import { LogViewer } from '../../ui/log-viewer/log-viewer.tsx'
import { useGrowingLog } from '../../ui/log-viewer/use-growing-log.ts'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './container-log-tab.module.css'
import { containerMessages } from './containers.messages.ts'
import { containerLogQuery, type LogSource, standardTail, tails } from './containers.queries.ts'
import { LogSourceSelect } from './log-source-select.tsx'
import { useContainerLog } from './use-container-log.ts'

interface LogOf {
  projectId: string
  tail: number
  source: LogSource
}

export function ContainerLogTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/logs' })
  const { tail = standardTail, process, instance } = useSearch({ from: '/signed-in/projects/$projectId/logs' })
  const { state } = useLive()
  const of = { projectId, tail, source: { process, instance } }
  const key = `${process} ${instance}`
  return (
    <>
      <LogSourceSelect projectId={projectId} source={of.source} />
      {state === 'away' ? <RequestedLog key={key} {...of} /> : <FollowedLog key={key} {...of} />}
    </>
  )
}

function FollowedLog({ projectId, tail, source }: LogOf) {
  const t = useMessages(containerMessages)
  const { buffer, state, refusal } = useContainerLog(projectId, tail, source)
  if (state === 'CONTAINER_MISSING') return <NothingRuns />
  if (state === undefined && refusal === undefined) return <RowsSkeleton />
  return (
    <Log {...{ projectId, tail, buffer }}>
      {refusal !== undefined && <Notice tone="bad">{refusal}</Notice>}
      {state === 'STOPPED' && <Notice tone="warn">{t('stopped')}</Notice>}
      {state === 'CONTAINER_ENGINE_UNAVAILABLE' && <Notice tone="bad">{t('engineAway')}</Notice>}
    </Log>
  )
}

function RequestedLog({ projectId, tail, source }: LogOf) {
  const { data, error, refetch } = useQuery(containerLogQuery(projectId, tail, source))
  const buffer = useGrowingLog(data?.logs ?? '')
  if (isApiError(error, 'CONTAINER_MISSING')) return <NothingRuns />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data ? <Log {...{ projectId, tail, buffer }} /> : <RowsSkeleton />
}

function NothingRuns() {
  const t = useMessages(containerMessages)
  return <EmptyState title={t('missing')} hint={t('missing.hint')} />
}

type LogProps = Omit<LogOf, 'source'> & { buffer: LogBuffer; children?: ReactNode }

function Log({ projectId, tail, buffer, children }: LogProps) {
  const t = useMessages(containerMessages)
  const { number } = useI18n()
  const { find = '' } = useSearch({ from: '/signed-in/projects/$projectId/logs' })
  const navigate = useNavigate({ from: '/projects/$projectId/logs' })
  const setTail = (lines: number) =>
    void navigate({
      search: (search) => ({ ...search, tail: lines === standardTail ? undefined : lines }),
      replace: true
    })
  return (
    <div className={classes.log}>
      {children}
      <LogViewer
        buffer={buffer}
        label={t('log')}
        fileName={`container-${projectId}.log`}
        isLive
        status={
          <NativeSelect
            size="xs"
            aria-label={t('tail')}
            value={String(tail)}
            data={tails.map((lines) => ({ value: String(lines), label: t('tail.last', { lines: number(lines) }) }))}
            onChange={({ currentTarget }) => setTail(Number(currentTarget.value))}
          />
        }
        find={find}
        onFind={(text) =>
          void navigate({
            search: (search) => ({ ...search, find: text === '' ? undefined : text }),
            replace: true
          })
        }
      />
    </div>
  )
}
