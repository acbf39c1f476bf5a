import { queryOptions } from '@tanstack/react-query'
import { api, data, type Schema } from '../../api/client.ts'

export type Setting = Schema<'Setting'>
/** Those that can be changed here, those that somebody has set, and all. */
export const settingGroups = ['changeable', 'set', 'all'] as const
export type SettingGroup = (typeof settingGroups)[number]

/** For an ADMIN with every variable of the server. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => data(api.GET('/api/system/settings'))
})

export const changeSettings = (body: {
  timezone?: string | null
  variables?: Record<string, string | number | boolean | null>
}) => data(api.PUT('/api/system/settings', { body }))
