import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { type Line, spanOf, withGaps } from '../../ui/chart/series.ts'
import { Filter } from '../../ui/filter.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { IncidentTable } from './incident-table.tsx'
import { uptimeMessages } from './uptime-checks.messages.ts'
import { useUptimePercent } from './use-uptime-percent.ts'
import { uptimeCheckQuery, type UptimeRange, uptimeRanges, uptimeResultsQuery } from './uptime-checks.queries.ts'

export function CheckHistory({ projectId, checkId }: { projectId: string; checkId: string }) {
  const t = useMessages(uptimeMessages)
  const percent = useUptimePercent()
  const { range = '24h' } = useSearch({ from: '/signed-in/projects/$projectId/uptime' })
  const { data: check, error, refetch } = useQuery(uptimeCheckQuery(projectId, checkId))
  const { data: results, isPlaceholderData } = useQuery(uptimeResultsQuery(projectId, checkId, range))
  if (error && !check) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!check) return <RowsSkeleton rows={3} height={120} />
  const uptime = results?.uptime ?? null
  const hint = uptime === null ? t('uptime.unknown') : t('uptime.figure', { share: percent(uptime) })
  return (
    <Section
      title={t('history', { name: check.name })}
      hint={hint}
      actions={
        <Filter
          label={t('range')}
          name="range"
          options={uptimeRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
          selected={range}
        />
      }
    >
      {results && results.points.length > 0 && <ResultCharts results={results} isOld={isPlaceholderData} />}
      {results?.points.length === 0 && <EmptyState title={t('results.none')} hint={t('results.none.hint')} />}
      <IncidentTable projectId={projectId} checkId={checkId} />
    </Section>
  )
}

interface Results {
  requestedAtMs: number
  range: UptimeRange
  points: readonly { from: string; uptime: number | null; averageMs: number | null; maxMs: number | null }[]
}

const stepSeconds: Record<UptimeRange, number> = { '24h': 3_600, '7d': 86_400, '30d': 86_400, '90d': 86_400 }

function ResultCharts({ results, isOld }: { results: Results; isOld: boolean }) {
  const t = useMessages(uptimeMessages)
  const { number } = useI18n()
  const percent = useUptimePercent()
  const drawn = useMemo(() => {
    const points = results.points.map((point) => ({ at: point.from, ...point }))
    const { times, rows } = withGaps(points, stepSeconds[results.range])
    const lines = (label: string, token: Line['token'], of: (row: (typeof points)[number]) => number | null) => ({
      label,
      token,
      values: rows.map((row) => (row === null ? null : of(row)))
    })
    const span = spanOf(results.range, results.requestedAtMs)
    // The first daily point can start before the requested span.
    return {
      span: { ...span, from: Math.min(span.from, times[0] ?? span.from) },
      times,
      uptime: [lines(t('uptime'), '--series-2', ({ uptime }) => uptime)],
      answers: [
        lines(t('answer.mean'), '--series-1', ({ averageMs }) => averageMs),
        lines(t('answer.max'), '--series-3', ({ maxMs }) => maxMs)
      ]
    }
  }, [results, t])
  const format = useMemo(
    () => ({
      percent,
      ms: (value: number) => t('ms', { amount: number(Math.round(value)) })
    }),
    [t, number, percent]
  )
  return (
    <div className={chartClasses.grid} aria-busy={isOld}>
      <Chart title={t('uptime')} {...drawn} lines={drawn.uptime} format={format.percent} max={100} />
      <Chart title={t('answer')} {...drawn} lines={drawn.answers} format={format.ms} />
    </div>
  )
}
