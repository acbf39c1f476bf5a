import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { type Line, spanOf, withGaps } from '../../ui/chart/series.ts'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Section } from '../../ui/section.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { type MetricRange, serverHistoryQuery, serverNowQuery, serverStepSeconds } from './monitoring.queries.ts'
import { useChartFormats } from './use-chart-formats.ts'

const tokens = { cpu: '--series-1', ram: '--series-2', disk: '--series-3' } as const

export function ServerCharts({ range }: { range: MetricRange }) {
  const t = useMessages(monitoringMessages)
  const { data: history, error, refetch, isPlaceholderData } = useQuery(serverHistoryQuery(range))
  const format = useChartFormats()
  const { data: alertAbove } = useQuery({ ...serverNowQuery, select: (now) => now.alertAbove })
  const drawn = useMemo(() => history && chartDataOf(history), [history])
  const charts = (['cpu', 'ram', 'disk'] as const).map((measured) => ({ measured, threshold: alertAbove?.[measured] }))
  if (error && !history) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!drawn) return <RowsSkeleton rows={4} height={120} />
  if (drawn.times.length === 0)
    return (
      <Section title={t('history')}>
        <EmptyState title={t('none')} hint={t('none.hint')} />
      </Section>
    )
  return (
    <div className={chartClasses.grid} aria-busy={isPlaceholderData}>
      {charts.map(({ measured, threshold }) => (
        <ShareChart key={measured} {...{ measured, threshold, drawn }} format={format.percent} />
      ))}
      <NetworkChart drawn={drawn} format={format.rate} />
    </div>
  )
}

type ChartData = ReturnType<typeof chartDataOf>

function chartDataOf({ points, range, requestedAtMs }: { points: Point[]; range: MetricRange; requestedAtMs: number }) {
  const { times, rows } = withGaps(points, serverStepSeconds[range])
  const share = (of: (row: Point) => number | null) => rows.map((row) => (row === null ? null : of(row)))
  return {
    span: spanOf(range, requestedAtMs),
    times,
    cpu: share((row) => row.cpu_percent),
    ram: share((row) => percentOf(row.ram_used, row.ram_total)),
    disk: share((row) => percentOf(row.disk_used, row.disk_total)),
    received: share((row) => row.network_received),
    sent: share((row) => row.network_sent)
  }
}

interface Point {
  at: string
  cpu_percent: number | null
  ram_used: number | null
  ram_total: number | null
  disk_used: number | null
  disk_total: number | null
  network_received: number | null
  network_sent: number | null
}

const percentOf = (used: number | null, total: number | null) =>
  used === null || total === null || total === 0 ? null : (100 * used) / total

function NetworkChart({ drawn, format }: Pick<ShareChartProps, 'drawn' | 'format'>) {
  const t = useMessages(monitoringMessages)
  const { received, sent } = drawn
  const lines = useMemo(
    (): Line[] => [
      { label: t('received'), token: '--series-1', values: received },
      { label: t('sent'), token: '--series-2', values: sent }
    ],
    [t, received, sent]
  )
  return <Chart title={t('network')} {...drawn} lines={lines} format={format} isBytes />
}

interface ShareChartProps {
  measured: keyof typeof tokens
  threshold: number | undefined
  drawn: ChartData
  format(value: number): string
}

function ShareChart({ measured, threshold, drawn, format }: ShareChartProps) {
  const t = useMessages(monitoringMessages)
  const label = t(measured)
  const values = drawn[measured]
  const lines = useMemo((): Line[] => [{ label, token: tokens[measured], values }], [label, measured, values])
  const rule = useMemo(
    () =>
      threshold === undefined ? undefined : { value: threshold, label: t('threshold', { share: format(threshold) }) },
    [threshold, format, t]
  )
  return <Chart title={label} {...drawn} lines={lines} format={format} max={100} threshold={rule} />
}
