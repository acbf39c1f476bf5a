import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { firewallRoute } from '../firewall/firewall.routes.ts'
import { allowListQuery, type BanSearch, bansQuery } from './bans.queries.ts'

export const bansRoute = createRoute({
  getParentRoute: () => firewallRoute,
  path: 'bans',
  validateSearch: ({ q, reason, page }: RawSearch): BanSearch => ({
    q: textIn(q),
    reason: textIn(reason),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(bansQuery(deps))
    void queryClient.prefetchQuery(allowListQuery)
  },
  component: lazyRouteComponent(() => import('./bans-tab.tsx'), 'BansTab')
})
