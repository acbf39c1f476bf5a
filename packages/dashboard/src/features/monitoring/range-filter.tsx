import { useMessages } from '../../i18n/i18n.tsx'
import { Filter } from '../../ui/filter.tsx'
import { monitoringMessages } from './monitoring.messages.ts'
import { type MetricRange, metricRanges } from './monitoring.queries.ts'

export function RangeFilter({ selected, standard }: { selected: MetricRange; standard: MetricRange }) {
  const t = useMessages(monitoringMessages)
  return (
    <Filter
      label={t('range')}
      name="range"
      options={metricRanges.map((value) => ({ value, label: t(`range.${value}`) }))}
      selected={selected}
      standard={standard}
    />
  )
}
