import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { linkOptions, Outlet } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { settingsMessages } from './settings.messages.ts'
import { type SettingGroup, settingsQuery } from './settings.queries.ts'

const groups: readonly SettingGroup[] = [
  'names',
  'accounts',
  'dns',
  'certificates',
  'mail',
  'containers',
  'builds',
  'files',
  'monitoring',
  'retention',
  'server'
]

/** Server settings, one page per group. */
export function SettingsPage() {
  const t = useMessages(settingsMessages)
  const { data: settings, error, refetch } = useQuery(settingsQuery)
  const tabs = [
    { label: t('home'), link: linkOptions({ to: '/server/settings', search: {}, activeOptions: { exact: true } }) },
    ...groups.map((group) => ({
      label: t(`group.${group}`),
      link: linkOptions({ to: '/server/settings/$group', params: { group }, search: {} })
    }))
  ]
  return (
    <>
      <PageHeader title={t('title')} />
      {error && !settings && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !settings && <RowsSkeleton rows={10} height={52} />}
      {settings && !settings.variables && (
        <EmptyState
          title={t('forbidden')}
          hint={t('forbidden.hint')}
          icon={<IconLock size={28} stroke={1.5} aria-hidden />}
        />
      )}
      {settings?.variables && (
        <>
          <Tabs label={t('groups')} of={t('title')} items={tabs} />
          <Outlet />
        </>
      )}
    </>
  )
}
