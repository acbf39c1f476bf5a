import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import {
  type ContainerOrder,
  containerOrders,
  containersNowQuery,
  type MetricRange,
  metricRanges,
  projectMetricsQuery,
  trafficQuery
} from './monitoring.queries.ts'

interface MonitoringSearch {
  range?: MetricRange | undefined
  sort?: ContainerOrder | undefined
  page?: number | undefined
}

const server = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/monitoring',
  validateSearch: ({ range, sort, page }: RawSearch): MonitoringSearch => ({
    range: oneOf(metricRanges, range),
    sort: oneOf(containerOrders, sort),
    page: pageIn(page)
  }),
  loader: ({ context }) => void context.queryClient.prefetchQuery(containersNowQuery),
  component: lazyRouteComponent(() => import('./monitoring-page.tsx'), 'MonitoringPage')
})

interface ProjectMonitoringSearch {
  range?: MetricRange | undefined
  /** A worker. Without one: the site. */
  process?: string | undefined
}

const ofProject = createRoute({
  getParentRoute: () => projectRoute,
  path: 'monitoring',
  validateSearch: ({ range, process }: RawSearch): ProjectMonitoringSearch => ({
    range: oneOf(metricRanges, range),
    process: textIn(process)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps: { range = '24h', process } }) => {
    if (process === undefined) void context.queryClient.prefetchQuery(trafficQuery(params.projectId, range))
    void context.queryClient.prefetchQuery(projectMetricsQuery(params.projectId, range, process))
  },
  component: lazyRouteComponent(() => import('./project-monitoring-tab.tsx'), 'ProjectMonitoringTab')
})

export const monitoringRoutes = [server] as const
export const monitoringTabRoutes = [ofProject] as const
