import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { type Line, spanOf, withGaps } from '../../ui/chart/series.ts'
import { Section } from '../../ui/section.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { userMessages } from './users.messages.ts'
import { diskHistoryQuery } from './users.queries.ts'

const daySeconds = 86_400

export function DiskHistory({ id }: { id: string }) {
  const t = useMessages(userMessages)
  const { bytes } = useI18n()
  const { data: history, error, refetch } = useQuery(diskHistoryQuery(id))
  const title = t('disk.history')
  const drawn = useMemo(() => {
    if (!history) return undefined
    const points = history.days.map(({ day, usedBytes }) => ({ at: `${day}T00:00:00Z`, usedBytes }))
    const { times, rows } = withGaps(points, daySeconds)
    const line: Line = { label: title, token: '--series-1', values: rows.map((row) => row?.usedBytes ?? null) }
    return { times, lines: [line], span: spanOf('90d', history.requestedAtMs), count: points.length }
  }, [history, title])
  if (error && !history) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!drawn || drawn.count < 2) return null
  return (
    <Section title={t('disk.history.title')}>
      <Chart title={title} span={drawn.span} times={drawn.times} lines={drawn.lines} format={bytes} isBytes />
    </Section>
  )
}
