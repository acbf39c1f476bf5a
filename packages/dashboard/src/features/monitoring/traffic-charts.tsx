import { useMemo } from 'react'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { everyStep, spanOf } from '../../ui/chart/series.ts'
import { Tiles } from './tiles.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { useChartFormats } from './use-chart-formats.ts'
import { useLines } from './use-lines.ts'

type Traffic = Schema<'Traffic'> & { requestedAtMs: number }

export function TrafficCharts({ traffic, isOld }: { traffic: Traffic; isOld: boolean }) {
  const t = useMessages(monitoringMessages)
  const { number, percent, bytes } = useI18n()
  const format = useChartFormats()
  const drawn = useMemo(() => chartDataOf(traffic), [traffic])
  const { total } = traffic
  const ms = (value: number | null) => (value === null ? '–' : format.ms(value))
  const requests = useLines([t('requests'), drawn.requests], [t('errors.client'), drawn.client], [t('errors.server'), drawn.server]) // oxfmt-ignore
  const times = useLines([t('p50'), drawn.p50], [t('p95'), drawn.p95])
  return (
    <>
      <Tiles
        label={t('traffic')}
        tiles={[
          { name: t('requests'), value: number(total.requests), more: t('traffic.range') },
          {
            name: t('errors.server'),
            value: number(total.serverErrors),
            more: total.errorShare === null ? '–' : t('errors.share', { share: percent(total.errorShare) })
          },
          { name: t('errors.client'), value: number(total.clientErrors), more: t('errors.client.hint') },
          { name: t('p50'), value: ms(total.p50Ms), more: t('p50.hint') },
          { name: t('p95'), value: ms(total.p95Ms), more: t('p95.hint') },
          { name: t('sent'), value: bytes(total.bytesOut), more: t('received.total', { amount: bytes(total.bytesIn) }) }
        ]}
      />
      <div className={chartClasses.grid} aria-busy={isOld}>
        <Chart title={t('requests.step')} {...drawn} lines={requests} format={format.count} />
        <Chart title={t('times')} {...drawn} lines={times} format={format.ms} />
      </div>
    </>
  )
}

/** Intervals without requests count as 0 requests and have no response time. */
function chartDataOf({ points, range, stepSeconds, requestedAtMs }: Traffic) {
  const span = spanOf(range, requestedAtMs)
  const { times, rows } = everyStep(points, stepSeconds, span)
  const count = (of: (row: Schema<'TrafficPoint'>) => number) => rows.map((row) => (row === null ? 0 : of(row)))
  return {
    span,
    times,
    requests: count((row) => row.requests),
    client: count((row) => row.clientErrors),
    server: count((row) => row.serverErrors),
    p50: rows.map((row) => row?.p50Ms ?? null),
    p95: rows.map((row) => row?.p95Ms ?? null)
  }
}
