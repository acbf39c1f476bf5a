import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { QuotaBar } from './quota-bar.tsx'
import { userMessages } from './users.messages.ts'
import type { ListedAccount } from './users.queries.ts'
import classes from './users.module.css'

const counted = [
  { quota: 'maxProjects', name: 'projects' },
  { quota: 'maxDomains', name: 'domains' },
  { quota: 'maxDatabases', name: 'databases' },
  { quota: 'maxMailboxes', name: 'mailboxes' }
] as const

export function UserUsage({ user }: { user: ListedAccount }) {
  const t = useMessages(userMessages)
  const { bytes } = useI18n()
  const { usage, maxDiskMb } = user
  const used = usage.diskBytes ?? 0
  const limit = maxDiskMb === null ? null : maxDiskMb * 2 ** 20
  // A quota of 0 is not reported as full.
  const full = counted.filter(({ quota, name }) => (user[quota] ?? 0) > 0 && usage[name] >= user[quota]!)
  return (
    <div className={classes.use}>
      <QuotaBar limit={limit} used={used} />
      <span className={classes.useWords}>
        <span>{limit === null ? bytes(used) : t('usage.used', { used: bytes(used), limit: bytes(limit) })}</span>
        {usage.oversold && <StatusBadge tone="warn">{t('usage.oversold')}</StatusBadge>}
        {full.map(({ quota, name }) => (
          <StatusBadge key={quota} tone="bad">
            {t('use.full', { what: t(`quota.${quota}`), used: usage[name], limit: user[quota]! })}
          </StatusBadge>
        ))}
      </span>
    </div>
  )
}
