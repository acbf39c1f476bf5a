import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { machineQuery, machinesQuery } from './machines.queries.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/machines',
  loader: ({ context }) => void context.queryClient.prefetchQuery(machinesQuery),
  component: lazyRouteComponent(() => import('./machine-list-page.tsx'), 'MachineListPage')
})

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/server/machines/$machineId',
  validateSearch: ({ page }: RawSearch): { page?: number | undefined } => ({ page: pageIn(page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    void context.queryClient.prefetchQuery(machineQuery(params.machineId, deps.page))
    void context.queryClient.prefetchQuery(machinesQuery)
  },
  component: lazyRouteComponent(() => import('./machine-page.tsx'), 'MachinePage')
})

export const machineRoutes = [list, one] as const
