import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { healthQuery } from '../system/health.queries.ts'
import { type SettingGroup, settingGroups, settingsQuery } from './settings.queries.ts'

interface SettingsSearch {
  q?: string | undefined
  show?: SettingGroup | undefined
  page?: number | undefined
}

const settings = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/settings',
  validateSearch: ({ q, show, page }: RawSearch): SettingsSearch => ({
    q: textIn(q),
    show: oneOf(settingGroups, show),
    page: pageIn(page)
  }),
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(settingsQuery)
    void context.queryClient.prefetchQuery(healthQuery)
  },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage')
})

export const settingsRoutes = [settings] as const
