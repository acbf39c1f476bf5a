import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { domainQuery, type DomainSearch, domainsQuery, domainStatuses } from './domains.queries.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/domains',
  validateSearch: ({ q, status, page }: RawSearch): DomainSearch => ({
    q: textIn(q),
    status: oneOf(domainStatuses, status),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(domainsQuery(deps)),
  component: lazyRouteComponent(() => import('./domain-list-page.tsx'), 'DomainListPage')
})

/** Pages of one domain, other features' too, are below it. */
export const domainRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/domains/$domainId',
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(domainQuery(params.domainId)),
  component: lazyRouteComponent(() => import('./domain-page.tsx'), 'DomainPage')
})

const overview = createRoute({
  getParentRoute: () => domainRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./domain-overview-tab.tsx'), 'DomainOverviewTab')
})

const certificate = createRoute({
  getParentRoute: () => domainRoute,
  path: 'certificate',
  component: lazyRouteComponent(() => import('./certificate-tab.tsx'), 'CertificateTab')
})

export const domainRoutes = [list] as const
export const domainTabRoutes = [overview, certificate] as const
