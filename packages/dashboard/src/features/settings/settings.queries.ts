import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Setting = Schema<'Setting'>
export type SettingGroup = Setting['group']

/** Filters: changeable, changed from the default, all. */
export const settingShows = ['changeable', 'set', 'all'] as const
export type SettingShow = (typeof settingShows)[number]

/** An ADMIN also gets every setting. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => data(api.GET('/api/system/settings'))
})

export const addressesQuery = queryOptions({
  queryKey: ['server-addresses'],
  queryFn: () => data(api.GET('/api/system/addresses'))
})

export const changeSettings = (body: {
  timezone?: string | null
  variables?: Record<string, string | number | boolean | null>
}) => data(api.PUT('/api/system/settings', { body }))

const upgradePollMs = 2_000

/** While the panel restarts, the last answer stays. */
export const versionQuery = queryOptions({
  queryKey: ['panel-version'],
  queryFn: () => data(api.GET('/api/system/version')),
  refetchInterval: ({ state }) => (isUpgrading(state.data?.upgrade ?? null) ? upgradePollMs : false)
})

export const isUpgrading = (upgrade: Schema<'PanelUpgrade'> | null): boolean =>
  upgrade !== null && (upgrade.status === 'PREPARING' || upgrade.status === 'SWITCHING')

export const startUpgrade = (body: Schema<'StartUpgrade'>) => data(api.POST('/api/system/upgrade', { body }))
