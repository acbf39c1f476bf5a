import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { variablesQuery } from './variables.queries.ts'

const variables = createRoute({
  getParentRoute: () => projectRoute,
  path: 'variables',
  staticData: { asks: ['/api/projects/$projectId/env'] },
  validateSearch: ({ q }: RawSearch): { q?: string | undefined } => ({ q: textIn(q) }),
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(variablesQuery(params.projectId)),
  component: lazyRouteComponent(() => import('./variables-tab.tsx'), 'VariablesTab')
})

export const variableRoutes = [variables] as const
