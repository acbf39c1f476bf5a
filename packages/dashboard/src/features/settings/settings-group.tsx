import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NotFoundPage } from '../../ui/states.tsx'
import { AddressSection } from './address-section.tsx'
import { HealthSection } from './health-section.tsx'
import { SettingTable } from './setting-table.tsx'
import { type Setting, type SettingGroup, settingsQuery } from './settings.queries.ts'

const mailParts = ['imapServer', 'mailTransfer', 'mailSigner', 'mailRewriter', 'mailFilter', 'mailFilterStore']

/** Additional sections of a page. */
const extras: Partial<Record<SettingGroup, ComponentType<{ settings: readonly Setting[] }>>> = {
  names: AddressSection,
  mail: () => <HealthSection only={mailParts} />
}

export function SettingsGroup() {
  const { group } = useParams({ from: '/signed-in/server/settings/$group' })
  const { data } = useQuery(settingsQuery)
  if (!data?.variables) return null
  const settings = data.variables.filter((setting) => setting.group === group)
  if (settings.length === 0) return <NotFoundPage />
  const Extra = extras[group as SettingGroup]
  return (
    <>
      {Extra && <Extra settings={settings} />}
      <SettingTable key={group} settings={settings} isWhole />
    </>
  )
}
