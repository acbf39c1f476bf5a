import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { accountRoute } from '../account/account.routes.ts'
import { registriesQuery } from './registries.queries.ts'

export const registriesRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: 'registries',
  loader: ({ context }) => void context.queryClient.prefetchQuery(registriesQuery),
  component: lazyRouteComponent(() => import('./registries-tab.tsx'), 'RegistriesTab')
})
