import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { findRunsMail } from '../system/health.queries.ts'
import { mailRoute } from '../mailboxes/mailboxes.routes.ts'
import { deliveriesQuery, deliveryStatuses, type LogSearch } from './delivery-log.queries.ts'

const log = createRoute({
  getParentRoute: () => mailRoute,
  path: 'log',
  validateSearch: ({ q, status, page }: RawSearch): LogSearch => ({
    q: textIn(q),
    status: oneOf(deliveryStatuses, status),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  // Without mail the API refuses, which the browser would log as a page error.
  loader: async ({ context: { queryClient }, deps }) => {
    if (await findRunsMail(queryClient)) void queryClient.prefetchQuery(deliveriesQuery(deps))
  },
  component: lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage')
})

export const deliveryLogRoutes = [log] as const
