import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { firewallQuery } from './firewall.queries.ts'

/** Parent of the rules and the bans. */
export const firewallRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/firewall',
  loader: ({ context }) => void context.queryClient.prefetchQuery(firewallQuery),
  component: lazyRouteComponent(() => import('./firewall-page.tsx'), 'FirewallPage')
})

export const rulesRoute = createRoute({
  getParentRoute: () => firewallRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./rules-tab.tsx'), 'RulesTab')
})
