import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { numberIn, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { historyQuery } from './deployments.queries.ts'

interface DeploymentsSearch {
  /** The deployment that is shown; the newest where it is not given. */
  d?: string | undefined
  /** Of the history. */
  page?: number | undefined
  find?: string | undefined
  /** A line of its log. */
  L?: number | undefined
}

const deployments = createRoute({
  getParentRoute: () => projectRoute,
  path: 'deployments',
  validateSearch: ({ d, page, find, L }: RawSearch): DeploymentsSearch => ({
    d: textIn(d),
    page: pageIn(page),
    find: textIn(find),
    L: numberIn(L)
  }),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ context, params, deps: { page } }) =>
    void context.queryClient.prefetchQuery(historyQuery(params.projectId, page)),
  component: lazyRouteComponent(() => import('./deployments-tab.tsx'), 'DeploymentsTab')
})

export const deploymentRoutes = [deployments] as const
