import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { beginWelcome, dnsCheckQuery } from './welcome.queries.ts'

const welcome = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/welcome',
  loader: ({ context: { queryClient }, cause }) => {
    if (cause !== 'preload') beginWelcome(queryClient)
    void queryClient.prefetchQuery(dnsCheckQuery)
  },
  component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage')
})

export const welcomeRoutes = [welcome] as const
