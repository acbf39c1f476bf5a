import { useMemo } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { spanOf, withGaps } from '../../ui/chart/series.ts'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { type MetricRange, projectStepSeconds } from './monitoring.queries.ts'
import { useChartFormats } from './use-chart-formats.ts'
import { useLines } from './use-lines.ts'

interface Metrics {
  range: MetricRange
  requestedAtMs: number
  points: readonly (Schema<'ProjectMetric'> & { at: string })[]
}

interface ChartsProps {
  metrics: Metrics
  isOld: boolean
  /** The disk usage of workers is not measured. */
  isSite: boolean
}

export function ProjectCharts({ metrics, isOld, isSite }: ChartsProps) {
  const t = useMessages(monitoringMessages)
  const format = useChartFormats()
  const drawn = useMemo(() => chartDataOf(metrics), [metrics])
  const cpu = useLines([t('cpu'), drawn.cpu])
  const ram = useLines([t('ram'), drawn.ram])
  const network = useLines([t('received'), drawn.received], [t('sent'), drawn.sent])
  const disk = useLines([t('disk'), drawn.disk])
  if (drawn.times.length === 0)
    return (
      <Section title={t('container')}>
        <EmptyState title={t('none')} hint={t('container.none')} />
      </Section>
    )
  return (
    <div className={chartClasses.grid} aria-busy={isOld}>
      <Chart title={t('cpu.ofCore')} {...drawn} lines={cpu} format={format.percent} />
      <Chart title={t('ram')} {...drawn} lines={ram} format={format.bytes} isBytes />
      <Chart title={t('network')} {...drawn} lines={network} format={format.rate} isBytes />
      {isSite && <Chart title={t('disk.container')} {...drawn} lines={disk} format={format.bytes} isBytes />}
    </div>
  )
}

function chartDataOf({ points, range, requestedAtMs }: Metrics) {
  const step = projectStepSeconds[range]
  const { times, rows } = withGaps(points, step)
  const of = (value: (row: Metrics['points'][number]) => number | null) =>
    rows.map((row) => (row === null ? null : value(row)))
  const rate = (total: number | null) => (total === null ? null : total / step)
  return {
    span: spanOf(range, requestedAtMs),
    times,
    cpu: of(({ cpuPercent }) => cpuPercent),
    ram: of(({ ramUsed }) => ramUsed),
    received: of(({ networkReceived }) => rate(networkReceived)),
    sent: of(({ networkSent }) => rate(networkSent)),
    disk: of(({ diskUsed }) => diskUsed)
  }
}
