import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { HealthSection } from './health-section.tsx'
import { SettingTable } from './setting-table.tsx'
import { settingsMessages } from './settings.messages.ts'
import { settingsQuery } from './settings.queries.ts'
import { TimezoneSection } from './timezone-section.tsx'

/** Of the whole server: how its parts are, and every setting with where it comes from. */
export function SettingsPage() {
  const t = useMessages(settingsMessages)
  const { data: settings, error, refetch } = useQuery(settingsQuery)
  const variables = settings?.variables
  return (
    <>
      <PageHeader title={t('title')} />
      {error && !settings && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !settings && <RowsSkeleton rows={10} height={52} />}
      {settings && !variables && (
        <EmptyState
          title={t('forbidden')}
          hint={t('forbidden.hint')}
          icon={<IconLock size={28} stroke={1.5} aria-hidden />}
        />
      )}
      {settings && variables && (
        <>
          <HealthSection />
          <TimezoneSection key={settings.timezone} timezone={settings.timezone} />
          <SettingTable variables={variables} />
        </>
      )}
    </>
  )
}
