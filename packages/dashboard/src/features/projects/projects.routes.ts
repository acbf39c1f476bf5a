import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { signedInRoute } from '../../routes/signed-in.ts'
import { type ProjectGroup, projectGroups } from './project-state.ts'
import { type ProjectSearch, projectsQuery } from './projects.queries.ts'

const list = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects',
  validateSearch: ({ q, page, state }: RawSearch): ProjectSearch & { state?: ProjectGroup | undefined } => ({
    q: textIn(q),
    page: pageIn(page),
    state: oneOf(projectGroups, state)
  }),
  loaderDeps: ({ search: { q, page } }) => ({ q, page }),
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(projectsQuery(deps)),
  component: lazyRouteComponent(() => import('./project-list-page.tsx'), 'ProjectListPage')
})

export const projectRoutes = [list] as const
