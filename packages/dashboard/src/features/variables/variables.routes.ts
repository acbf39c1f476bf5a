import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/signed-in.ts'
import { type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { accountRoute } from '../account/account.routes.ts'
import { groupsQuery, projectGroupsQuery, variablesQuery } from './variables.queries.ts'

const variables = createRoute({
  getParentRoute: () => projectRoute,
  path: 'variables',
  staticData: { asks: ['/api/projects/$projectId/env', '/api/projects/$projectId/env-groups', '/api/env-groups'] },
  validateSearch: ({ q }: RawSearch): { q?: string | undefined } => ({ q: textIn(q) }),
  loader: ({ context: { queryClient }, params: { projectId } }) => {
    void queryClient.prefetchQuery(variablesQuery({ kind: 'project', id: projectId }))
    void queryClient.prefetchQuery(projectGroupsQuery(projectId))
    void queryClient.prefetchQuery(groupsQuery)
  },
  component: lazyRouteComponent(() => import('./variables-tab.tsx'), 'VariablesTab')
})

const groups = createRoute({
  getParentRoute: () => accountRoute,
  path: 'variable-groups',
  staticData: { asks: ['/api/env-groups'] },
  loader: ({ context }) => void context.queryClient.prefetchQuery(groupsQuery),
  component: lazyRouteComponent(() => import('./groups-tab.tsx'), 'GroupsTab')
})

const group = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/variable-groups/$groupId',
  staticData: { asks: ['/api/env-groups/$groupId/env', '/api/env-groups'] },
  validateSearch: ({ q }: RawSearch): { q?: string | undefined } => ({ q: textIn(q) }),
  loader: ({ context: { queryClient }, params: { groupId } }) => {
    void queryClient.prefetchQuery(variablesQuery({ kind: 'group', id: groupId }))
    void queryClient.prefetchQuery(groupsQuery)
  },
  component: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage')
})

export const variableGroupTabRoutes = [groups] as const
export const variableGroupRoutes = [group] as const
export const variableRoutes = [variables] as const
