import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { type Line, spanOf, withGaps } from '../../ui/chart/series.ts'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { serverHistoryQuery, serverStepSeconds } from '../monitoring/monitoring.queries.ts'
import { serverDiskMessages } from './server-disk.messages.ts'

const range = '30d'

/** Usage of the panel's own disk. */
export function HistorySection() {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  const { data: history, error, refetch } = useQuery(serverHistoryQuery(range))
  const format = useCallback((value: number) => bytes(Math.round(value)), [bytes])
  const drawn = useMemo(() => history && drawnOf(history), [history])
  const lines = useMemo(
    (): Line[] => [{ label: t('history.used'), token: '--series-3', values: drawn?.values ?? [] }],
    [t, drawn]
  )
  if (error && !history) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!drawn) return <RowsSkeleton rows={1} height={120} />
  if (drawn.times.length === 0) return null
  const { span, times, total } = drawn
  return (
    <div className={chartClasses.grid}>
      <Chart title={t('history')} span={span} times={times} lines={lines} format={format} isBytes max={total} />
    </div>
  )
}

interface History {
  requestedAtMs: number
  points: { at: string; disk_used: number | null; disk_total: number | null }[]
}

function drawnOf({ points, requestedAtMs }: History) {
  const { times, rows } = withGaps(points, serverStepSeconds[range])
  return {
    span: spanOf(range, requestedAtMs),
    times,
    values: rows.map((row) => row?.disk_used ?? null),
    total: Math.max(...points.map(({ disk_total }) => disk_total ?? 0))
  }
}
