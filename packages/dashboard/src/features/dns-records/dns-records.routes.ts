import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, type RawSearch, textIn } from '../../routes/search.ts'
import { domainRoute } from '../domains/domains.routes.ts'
import { recordsQuery, recordTypes } from './dns-records.queries.ts'

const dns = createRoute({
  getParentRoute: () => domainRoute,
  path: 'dns',
  staticData: { parts: ['nameServer'], asks: ['/api/domains/$domainId/dns'] },
  validateSearch: ({ q, type }: RawSearch): { q?: string | undefined; type?: string | undefined } => ({
    q: textIn(q),
    type: oneOf(recordTypes, type)
  }),
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(recordsQuery(params.domainId)),
  component: lazyRouteComponent(() => import('./dns-tab.tsx'), 'DnsTab')
})

export const dnsRecordRoutes = [dns] as const
