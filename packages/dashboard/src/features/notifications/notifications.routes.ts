import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch } from '../../routes/search.ts'
import { accountRoute } from '../account/account.routes.ts'
import {
  channelsQuery,
  deliveriesQuery,
  type NotificationSearch,
  notificationsQuery,
  preferencesQuery,
  shows
} from './notifications.queries.ts'

const list = createRoute({
  getParentRoute: () => accountRoute,
  path: 'notifications',
  validateSearch: ({ show, page }: RawSearch): NotificationSearch => ({ show: oneOf(shows, show), page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(notificationsQuery(deps)),
  component: lazyRouteComponent(() => import('./list-tab.tsx'), 'ListTab')
})

const channels = createRoute({
  getParentRoute: () => accountRoute,
  path: 'notifications/channels',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(channelsQuery)
    void context.queryClient.prefetchQuery(preferencesQuery)
  },
  component: lazyRouteComponent(() => import('./channels-tab.tsx'), 'ChannelsTab')
})

const sent = createRoute({
  getParentRoute: () => accountRoute,
  path: 'notifications/sent',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(deliveriesQuery(deps.page)),
  component: lazyRouteComponent(() => import('./sent-tab.tsx'), 'SentTab')
})

export const notificationRoutes = [list, channels, sent] as const
