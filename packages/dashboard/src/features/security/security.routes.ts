import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch } from '../../routes/search.ts'
import { accountRoute } from '../account/account.routes.ts'
import { sessionsQuery } from './security.queries.ts'

const security = createRoute({
  getParentRoute: () => accountRoute,
  path: 'security',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(sessionsQuery(deps.page)),
  component: lazyRouteComponent(() => import('./security-tab.tsx'), 'SecurityTab')
})

export const securityRoutes = [security] as const
