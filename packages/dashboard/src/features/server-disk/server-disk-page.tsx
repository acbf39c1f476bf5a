import { Button, Group } from '@mantine/core'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { NoAccess } from '../../ui/no-access.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { meQuery } from '../auth/me.queries.ts'
import { CleanupSection } from './cleanup-section.tsx'
import { DiskSection } from './disk-section.tsx'
import { HistorySection } from './history-section.tsx'
import { ProjectSection } from './project-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { serverDiskMessages } from './server-disk.messages.ts'
import { isRunning, measureDisks, type ServerDisk, serverDiskQuery } from './server-disk.queries.ts'

const CleanupDialog = lazy(() => import('./cleanup-dialog.tsx').then((module) => ({ default: module.CleanupDialog })))

export function ServerDiskPage() {
  const t = useMessages(serverDiskMessages)
  const { data: me } = useQuery(meQuery)
  if (me?.role !== 'ADMIN') return <NoAccess hint={t('noAccess')} />
  return <Disk />
}

function Disk() {
  const t = useMessages(serverDiskMessages)
  const { data: disk, error, refetch } = useQuery(serverDiskQuery)
  const [isCleaning, setCleaning] = useState(false)
  const measure = useAction({
    run: measureDisks,
    invalidates: [serverDiskQuery.queryKey],
    done: () => t('measuring')
  })
  const isBusy = disk?.cleanup != null && isRunning(disk.cleanup)
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={disk?.measuredAt && <Measured at={disk.measuredAt} />}
        actions={
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={measure.isPending}
              onClick={() => measure.start()}
            >
              {t('measure')}
            </Button>
            <Button
              leftSection={<IconTrash size={16} aria-hidden />}
              disabled={isBusy}
              onClick={() => setCleaning(true)}
            >
              {t('clean')}
            </Button>
          </Group>
        }
      />
      {error && !disk && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!disk && !error && <RowsSkeleton rows={8} />}
      {disk && <Parts disk={disk} />}
      <Suspense>{isCleaning && <CleanupDialog onClose={() => setCleaning(false)} />}</Suspense>
    </>
  )
}

function Measured({ at }: { at: string }) {
  const t = useMessages(serverDiskMessages)
  const { relative } = useI18n()
  return <span>{t('measured', { time: relative(at) })}</span>
}

function Parts({ disk }: { disk: ServerDisk }) {
  const t = useMessages(serverDiskMessages)
  return (
    <>
      {disk.cleanup && <CleanupSection cleanup={disk.cleanup} />}
      {disk.measuredAt === null ? (
        <Section title={t('title')}>
          <EmptyState title={t('none')} hint={t('none.hint')} />
        </Section>
      ) : (
        <>
          <Forecast disk={disk} />
          {disk.disks.map((each) => (
            <DiskSection key={each.path} disk={each} />
          ))}
          <HistorySection />
          <ProjectSection projects={disk.projects} />
        </>
      )}
      <RetentionSection />
    </>
  )
}

function Forecast({ disk: { forecast } }: { disk: ServerDisk }) {
  const t = useMessages(serverDiskMessages)
  const { bytes } = useI18n()
  if (!forecast) return <Facts rows={[{ name: t('forecast'), value: t('forecast.none') }]} />
  const { bytesPerDay, daysUntilFull, since } = forecast
  const days = daysUntilFull === null ? undefined : Math.floor(daysUntilFull)
  const value =
    days === undefined ? t('forecast.steady') : days === 0 ? t('forecast.today') : t('forecast.full', { count: days })
  const amount = `${bytesPerDay < 0 ? '−' : '+'}${bytes(Math.abs(Math.round(bytesPerDay)))}`
  return (
    <Facts
      rows={[
        { name: t('forecast'), value },
        { name: t('growth'), value: t('forecast.growth', { amount }) },
        { name: t('since'), value: <Time at={since} /> }
      ]}
    />
  )
}
