import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { numberIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { historyQuery } from './deployments.queries.ts'

interface DeploymentsSearch {
  /** The deployment that is shown; the newest where it is not given. */
  d?: string | undefined
  find?: string | undefined
  /** A line of its log. */
  L?: number | undefined
}

const deployments = createRoute({
  getParentRoute: () => projectRoute,
  path: 'deployments',
  validateSearch: ({ d, find, L }: RawSearch): DeploymentsSearch => ({
    d: textIn(d),
    find: textIn(find),
    L: numberIn(L)
  }),
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(historyQuery(params.projectId)),
  component: lazyRouteComponent(() => import('./deployments-tab.tsx'), 'DeploymentsTab')
})

export const deploymentRoutes = [deployments] as const
