import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { diskQuery, overviewQuery, usageQuery } from './overview.queries.ts'

const overview = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  staticData: { asks: ['/api/overview', '/api/users/me/usage', '/api/users/me/disk'] },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(overviewQuery)
    void queryClient.prefetchQuery(usageQuery)
    void queryClient.prefetchQuery(diskQuery)
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage')
})

export const overviewRoutes = [overview] as const
