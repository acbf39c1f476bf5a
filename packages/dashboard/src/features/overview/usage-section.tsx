import { useQuery } from '@tanstack/react-query'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import classes from './overview.module.css'
import { type QuotaName, quotaNames } from './needs.ts'
import { overviewMessages } from './overview.messages.ts'
import { diskQuery, usageQuery } from './overview.queries.ts'

interface Use {
  name: QuotaName
  used: number
  limit: number | null
  /** Formatted value. */
  format(value: number): string
}

/** Usage against quotas. Hides quotas of 0. */
export function UsageSection() {
  const t = useMessages(overviewMessages)
  const { uses, error, refetch } = useUses()
  return (
    <Section title={t('usage')}>
      {uses ? (
        <dl className={classes.usage}>
          {uses
            .filter(({ limit, used }) => limit !== 0 || used > 0)
            .map((use) => (
              <UsageRow key={use.name} use={use} />
            ))}
        </dl>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <RowsSkeleton rows={5} height={32} />
      )}
    </Section>
  )
}

function useUses() {
  const { number, bytes } = useI18n()
  const usage = useQuery(usageQuery)
  const disk = useQuery(diskQuery)
  const refetch = () => void Promise.all([usage.refetch(), disk.refetch()])
  if (!usage.data) return { uses: undefined, error: usage.error, refetch }
  const { resources } = usage.data
  const uses = quotaNames.flatMap((name): Use[] => {
    if (name !== 'maxDiskMb')
      return [{ name, used: resources[name].used, limit: resources[name].limit, format: number }]
    if (!disk.data) return []
    return [{ name, used: disk.data.usedBytes, limit: disk.data.limitBytes, format: bytes }]
  })
  return { uses, error: null, refetch }
}

function UsageRow({ use: { name, used, limit, format } }: { use: Use }) {
  const t = useMessages(overviewMessages)
  const label = t(`quota.${name}`)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {limit === null ? (
          <span className={classes.figures}>{format(used)}</span>
        ) : (
          <Meter label={label} used={used} of={limit}>
            {t('usage.of', { used: format(used), limit: format(limit) })}
          </Meter>
        )}
      </dd>
    </div>
  )
}
