import { useQuery } from '@tanstack/react-query'
import { HealthSection } from './health-section.tsx'
import { SettingTable } from './setting-table.tsx'
import { settingsQuery } from './settings.queries.ts'
import { TimezoneSection } from './timezone-section.tsx'
import { UpgradeSection } from './upgrade-section.tsx'

/** Component states, upgrades, time zone, and a search in all settings. */
export function SettingsHome() {
  const { data: settings } = useQuery(settingsQuery)
  if (!settings?.variables) return null
  return (
    <>
      <HealthSection />
      <UpgradeSection />
      <TimezoneSection key={settings.timezone} timezone={settings.timezone} />
      <SettingTable settings={settings.variables} />
    </>
  )
}
