import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { pageIn, type RawSearch } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { activityQuery } from './account.queries.ts'

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage')
})

const start = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account/profile', replace: true })
  }
})

const profile = createRoute({
  getParentRoute: () => accountRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('./profile-tab.tsx'), 'ProfileTab')
})

const activity = createRoute({
  getParentRoute: () => accountRoute,
  path: 'activity',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(activityQuery(deps.page)),
  component: lazyRouteComponent(() => import('./activity-tab.tsx'), 'ActivityTab')
})

export const accountTabRoutes = [start, profile, activity] as const
