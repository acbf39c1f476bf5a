import type { QueryClient } from '@tanstack/react-query'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { numberIn, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { deploymentQuery, lastLinesQuery, historyQuery } from './deployments.queries.ts'

interface DeploymentsSearch {
  d?: string | undefined
  page?: number | undefined
  find?: string | undefined
  L?: number | undefined
}

/** Loads the history, the shown deployment and the end of its log in parallel with the page’s code. */
async function prefetch(client: QueryClient, projectId: string, { d, page }: Pick<DeploymentsSearch, 'd' | 'page'>) {
  await client.prefetchQuery(historyQuery(projectId, page))
  const history = client.getQueryData(historyQuery(projectId, page).queryKey)
  const shown = history?.deployments.find(({ id }) => d === undefined || d === id)
  if (shown === undefined) return
  void client.prefetchQuery(deploymentQuery(projectId, shown.id))
  void client.prefetchQuery(lastLinesQuery(projectId, shown.id))
}

const deployments = createRoute({
  getParentRoute: () => projectRoute,
  path: 'deployments',
  staticData: { asks: ['/api/projects/$projectId/deployments?page=1&limit=20&logs=false'] },
  validateSearch: ({ d, page, find, L }: RawSearch): DeploymentsSearch => ({
    d: textIn(d),
    page: pageIn(page),
    find: textIn(find),
    L: numberIn(L)
  }),
  loaderDeps: ({ search: { d, page } }) => ({ d, page }),
  loader: ({ context, params, deps }) => void prefetch(context.queryClient, params.projectId, deps),
  component: lazyRouteComponent(() => import('./deployments-tab.tsx'), 'DeploymentsTab')
})

export const deploymentRoutes = [deployments] as const
