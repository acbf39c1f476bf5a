import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { accountRoute } from '../account/account.routes.ts'
import { accountOrders, accountStates, roles, userQuery, type UserSearch } from './users.queries.ts'

const validateSearch = ({ q, role, state, below, order, page }: RawSearch): UserSearch => ({
  q: textIn(q),
  role: oneOf(roles, role),
  state: oneOf(accountStates, state),
  below: textIn(below),
  order: oneOf(accountOrders, order),
  page: pageIn(page)
})

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/users',
  validateSearch,
  component: lazyRouteComponent(() => import('./user-list-page.tsx'), 'UserListPage')
})

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/users/$userId',
  staticData: { asks: ['/api/users/$userId'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(userQuery(params.userId)),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage')
})

const customers = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/customers',
  validateSearch,
  component: lazyRouteComponent(() => import('./customer-list-page.tsx'), 'CustomerListPage')
})

const customer = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/customers/$userId',
  staticData: { asks: ['/api/users/$userId'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(userQuery(params.userId)),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'CustomerPage')
})

const ownUsage = createRoute({
  getParentRoute: () => accountRoute,
  path: 'usage',
  component: lazyRouteComponent(() => import('./own-usage-tab.tsx'), 'OwnUsageTab')
})

export const ownUsageRoutes = [ownUsage] as const
export const userRoutes = [list, one, customers, customer] as const
