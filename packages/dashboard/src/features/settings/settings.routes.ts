import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { healthQuery } from '../system/health.queries.ts'
import { settingShows, type SettingShow, settingsQuery } from './settings.queries.ts'

interface SettingsSearch {
  q?: string | undefined
  show?: SettingShow | undefined
  page?: number | undefined
}

export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/settings',
  validateSearch: ({ q, show, page }: RawSearch): SettingsSearch => ({
    q: textIn(q),
    show: oneOf(settingShows, show),
    page: pageIn(page)
  }),
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(settingsQuery)
    void context.queryClient.prefetchQuery(healthQuery)
  },
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage')
})

const home = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./settings-home.tsx'), 'SettingsHome')
})

const group = createRoute({
  getParentRoute: () => settingsRoute,
  path: '$group',
  component: lazyRouteComponent(() => import('./settings-group.tsx'), 'SettingsGroup')
})

export const settingsRoutes = [home, group] as const
