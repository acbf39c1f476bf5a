import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
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
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(deliveriesQuery(deps)),
  component: lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage')
})

export const deliveryLogRoutes = [log] as const
