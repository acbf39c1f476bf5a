import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { findRunsMail } from '../system/health.queries.ts'
import { mailRoute } from '../mailboxes/mailboxes.routes.ts'
import { queueFlags, queueQuery, type QueueSearch } from './mail-queue.queries.ts'

const queue = createRoute({
  getParentRoute: () => mailRoute,
  path: 'queue',
  validateSearch: ({ q, flagged, page }: RawSearch): QueueSearch => ({
    q: textIn(q),
    flagged: oneOf(queueFlags, flagged),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  // Without mail the API refuses, which the browser would log as a page error.
  loader: async ({ context: { queryClient }, deps }) => {
    if (await findRunsMail(queryClient)) void queryClient.prefetchQuery(queueQuery(deps))
  },
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage')
})

export const mailQueueRoutes = [queue] as const
