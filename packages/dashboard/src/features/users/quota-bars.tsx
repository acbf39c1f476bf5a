import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { QuotaBar } from './quota-bar.tsx'
import classes from './quota-bars.module.css'
import { userMessages } from './users.messages.ts'
import { diskQuery, usageQuery } from './users.queries.ts'

const resources = [
  'maxProjects',
  'maxDomains',
  'maxDatabases',
  'maxMailboxes',
  'maxSubAccounts',
  'maxMemoryMb',
  'maxCpus',
  'maxTcpPorts'
] as const
type Resource = (typeof resources)[number]

export function QuotaBars({ id }: { id: string }) {
  const { data: usage, error, refetch } = useQuery(usageQuery(id))
  const { data: disk } = useQuery(diskQuery(id))
  const { bytes } = useI18n()
  const t = useMessages(userMessages)
  if (error && !usage) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!usage) return <RowsSkeleton rows={5} height={40} />
  return (
    <ul className={classes.list}>
      {resources.map((resource) => (
        <Row key={resource} resource={resource} usage={usage} />
      ))}
      {disk && (
        <li>
          <span className={classes.name}>{t('disk')}</span>
          <QuotaBar limit={disk.limitBytes} used={disk.usedBytes} />
          <span className={classes.words}>
            {disk.limitBytes === null
              ? t('usage.unlimited', { used: bytes(disk.usedBytes) })
              : t('usage.used', { used: bytes(disk.usedBytes), limit: bytes(disk.limitBytes) })}
            {disk.overSince !== null && <StatusBadge tone="bad">{t('usage.over')}</StatusBadge>}
          </span>
        </li>
      )}
    </ul>
  )
}

interface Shared {
  used: number
  limit: number | null
  nominalSum?: number | null
  oversold?: boolean
  pooledUsed?: number
}

function Row({ resource, usage }: { resource: Resource; usage: Schema<'UsageSummary'> }) {
  const t = useMessages(userMessages)
  const { used, limit, nominalSum, oversold, pooledUsed }: Shared = usage.resources[resource]
  const real = pooledUsed ?? used
  return (
    <li>
      <span className={classes.name}>{t(`quota.${resource}`)}</span>
      <QuotaBar limit={limit} used={real} shared={nominalSum} />
      <span className={classes.words}>
        {limit === null ? t('usage.unlimited', { used: real }) : t('usage.used', { used: real, limit })}
        {nominalSum !== undefined && (
          <span>{nominalSum === null ? t('usage.sharedAll') : t('usage.shared', { sum: nominalSum })}</span>
        )}
        {oversold && <StatusBadge tone="warn">{t('usage.oversold')}</StatusBadge>}
        {limit !== null && real >= limit && limit > 0 && <StatusBadge tone="bad">{t('usage.full')}</StatusBadge>}
      </span>
    </li>
  )
}
