import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listOrders, oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { certificateAlertsQuery } from '../certificates/certificates.queries.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { domainQuery, type DomainSearch, domainsQuery, domainStatuses, routesQuery } from './domains.queries.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/domains',
  staticData: { asks: ['/api/domains?page=1&limit=25', '/api/domains/ssl/alerts'] },
  validateSearch: ({ q, status, order, page }: RawSearch): DomainSearch => ({
    q: textIn(q),
    status: oneOf(domainStatuses, status),
    order: oneOf(listOrders, order),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(domainsQuery(deps))
    // The alerts are above the list, so loading them late would shift it.
    void queryClient.prefetchQuery(certificateAlertsQuery)
  },
  component: lazyRouteComponent(() => import('./domain-list-page.tsx'), 'DomainListPage')
})

const routes = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/domains/routes',
  staticData: { asks: ['/api/domains?page=1&limit=100'] },
  validateSearch: ({ q, page }: RawSearch): Pick<DomainSearch, 'q' | 'page'> => ({ q: textIn(q), page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(routesQuery(deps)),
  component: lazyRouteComponent(() => import('./route-map-page.tsx'), 'RouteMapPage')
})

const ofProject = createRoute({
  getParentRoute: () => projectRoute,
  path: 'domains',
  staticData: { asks: ['/api/domains?page=1&limit=100&projectId=$projectId'] },
  loader: ({ context, params: { projectId } }) => void context.queryClient.prefetchQuery(routesQuery({ projectId })),
  component: lazyRouteComponent(() => import('./project-domains-tab.tsx'), 'ProjectDomainsTab')
})

/** Parent of all pages of a domain, also of other features. */
export const domainRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/domains/$domainId',
  staticData: { asks: ['/api/domains/$domainId'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(domainQuery(params.domainId)),
  component: lazyRouteComponent(() => import('./domain-page.tsx'), 'DomainPage')
})

const overview = createRoute({
  getParentRoute: () => domainRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./domain-overview-tab.tsx'), 'DomainOverviewTab')
})

export const domainRoutes = [list, routes] as const
export const projectDomainRoutes = [ofProject] as const
export const domainTabRoutes = [overview] as const
