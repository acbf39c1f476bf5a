import { Button } from '@mantine/core'
import { IconDatabaseExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CopyField } from '../../ui/copy-field.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { meQuery } from '../auth/me.queries.ts'
import { BackupTable } from './backup-table.tsx'
import { backupMessages } from './backups.messages.ts'
import { startServerBackups } from './backup-actions.ts'
import { backupsPerPage, serverBackupsQuery, targetsQuery } from './backups.queries.ts'
import { mayManageBackups } from './may-manage-backups.ts'
import { AccountRestoreSection } from './account-restore-section.tsx'
import { DrillSection } from './drill-section.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { TargetSection } from './target-section.tsx'

export function ServerBackupsPage() {
  const t = useMessages(backupMessages)
  const { data: me } = useQuery(meQuery)
  if (!me || !mayManageBackups(me)) return <NoAccess hint={t('noAccess')} />
  return <ServerBackups isAdmin={me.role === 'ADMIN'} />
}

function ServerBackups({ isAdmin }: { isAdmin: boolean }) {
  const t = useMessages(backupMessages)
  const { data: known } = useQuery(targetsQuery)
  const isReady = known?.targets.some(({ isKeyConfirmed }) => isKeyConfirmed) ?? false
  const start = useAction({
    run: startServerBackups,
    invalidates: [['backups']],
    done: ({ queued }) => t('started', { count: queued })
  })
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <Button
            leftSection={<IconDatabaseExport size={16} aria-hidden />}
            disabled={!isReady}
            loading={start.isPending}
            onClick={() => start.start()}
          >
            {t('start.all')}
          </Button>
        }
      />
      <TargetSection />
      <ScheduleSection />
      <DrillSection isReady={isReady} />
      {isAdmin && <AccountRestoreSection isReady={isReady} />}
      <section className={card.card} aria-label={t('list')}>
        <Rows />
        <CopyField label={t('panel.restore')} value="./panel restore <target>" />
      </section>
    </>
  )
}

function Rows() {
  const t = useMessages(backupMessages)
  const search = useSearch({ from: '/signed-in/server/backups' })
  const { data, error, refetch } = useQuery(serverBackupsQuery(search))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton rows={6} height={41} />
  if (data.pagination.total === 0) return <EmptyState title={t('none')} hint={t('none.server')} />
  return (
    <>
      <BackupTable backups={data.backups} withProject />
      <Pagination page={search.page ?? 1} limit={backupsPerPage} total={data.pagination.total} />
    </>
  )
}
