import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from '../features/auth/me.queries.ts'
import { healthQuery } from '../features/system/health.queries.ts'
import { rootRoute } from './root.tsx'

/** Redirects to sign-in and returns to the requested page afterwards. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  staticData: { asks: ['/api/auth/me', '/api/health'] },
  // A loader and not beforeLoad, so that the page’s code and data load in parallel.
  loader: async ({ context, location }) => {
    // Navigation and outage notices depend on the health.
    void context.queryClient.prefetchQuery(healthQuery)
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (!me) throw redirect({ to: '/login', search: { next: location.href === '/' ? undefined : location.href } })
  },
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell')
})
