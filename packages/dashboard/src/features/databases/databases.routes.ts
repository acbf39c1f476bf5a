import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listOrders, oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import {
  type DatabaseSearch,
  databaseTypes,
  databasesQuery,
  maskedDatabaseQuery,
  projectDatabasesQuery
} from './databases.queries.ts'

const parts = ['postgresql', 'mysql'] as const

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/databases',
  staticData: { parts, asks: ['/api/databases?page=1&limit=25'] },
  validateSearch: ({ q, type, order, page }: RawSearch): DatabaseSearch => ({
    q: textIn(q),
    type: oneOf(databaseTypes, type),
    order: oneOf(listOrders, order),
    page: pageIn(page)
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(databasesQuery(deps)),
  component: lazyRouteComponent(() => import('./database-list-page.tsx'), 'DatabaseListPage')
})

const one = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/databases/$databaseId',
  staticData: { parts, asks: ['/api/databases/$databaseId?secrets=false'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(maskedDatabaseQuery(params.databaseId)),
  component: lazyRouteComponent(() => import('./database-page.tsx'), 'DatabasePage')
})

const ofProject = createRoute({
  getParentRoute: () => projectRoute,
  path: 'databases',
  staticData: { parts, asks: ['/api/databases?projectId=$projectId&limit=100'] },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(projectDatabasesQuery(params.projectId)),
  component: lazyRouteComponent(() => import('./project-databases-tab.tsx'), 'ProjectDatabasesTab')
})

export const databaseRoutes = [list, one] as const
export const projectDatabaseRoutes = [ofProject] as const
