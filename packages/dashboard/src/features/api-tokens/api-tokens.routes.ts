import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch } from '../../routes/search.ts'
import { accountRoute } from '../account/account.routes.ts'
import { tokensQuery } from './api-tokens.queries.ts'

const tokens = createRoute({
  getParentRoute: () => accountRoute,
  path: 'tokens',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(tokensQuery(deps.page)),
  component: lazyRouteComponent(() => import('./tokens-tab.tsx'), 'TokensTab')
})

export const apiTokenRoutes = [tokens] as const
