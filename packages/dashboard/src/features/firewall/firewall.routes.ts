import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { firewallQuery } from './firewall.queries.ts'

const page = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/firewall',
  loader: ({ context }) => void context.queryClient.prefetchQuery(firewallQuery),
  component: lazyRouteComponent(() => import('./firewall-page.tsx'), 'FirewallPage')
})

export const firewallRoutes = [page] as const
