import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../projects/projects.routes.ts'
import { processesQuery } from './processes.queries.ts'

const processes = createRoute({
  getParentRoute: () => projectRoute,
  path: 'processes',
  loader: ({ context: { queryClient }, params: { projectId } }) =>
    void queryClient.prefetchQuery(processesQuery(projectId)),
  component: lazyRouteComponent(() => import('./processes-tab.tsx'), 'ProcessesTab')
})

export const processRoutes = [processes] as const
