import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { projectsQuery } from '../projects/projects.queries.ts'
import { overviewQuery } from './overview.queries.ts'

const overview = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  staticData: { asks: ['/api/overview', '/api/projects?page=1&limit=25'] },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(overviewQuery)
    void queryClient.prefetchQuery(projectsQuery({}))
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage')
})

export const overviewRoutes = [overview] as const
