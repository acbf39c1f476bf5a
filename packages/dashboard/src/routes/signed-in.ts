import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { meQuery } from '../features/auth/me.queries.ts'
import { healthQuery } from '../features/system/health.queries.ts'
import { rootRoute } from './root.ts'

/** Of pages for who has signed in: others are sent to sign in, and come back to where they wanted to go. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  staticData: { asks: ['/api/auth/me', '/api/health'] },
  // A loader and not beforeLoad, so that the page's code and data are fetched beside it instead of after it.
  loader: async ({ context, location }) => {
    // What is not installed is not in the navigation, and what is away stands above the page.
    void context.queryClient.prefetchQuery(healthQuery)
    const me = await context.queryClient.ensureQueryData(meQuery)
    if (!me) throw redirect({ to: '/login', search: { next: location.href === '/' ? undefined : location.href } })
  },
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell')
})
