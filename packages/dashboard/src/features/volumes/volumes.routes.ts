import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../projects/projects.routes.ts'
import { volumesQuery } from './volumes.queries.ts'

const volumes = createRoute({
  getParentRoute: () => projectRoute,
  path: 'volumes',
  loader: ({ context: { queryClient }, params: { projectId } }) =>
    void queryClient.prefetchQuery(volumesQuery(projectId)),
  component: lazyRouteComponent(() => import('./volumes-tab.tsx'), 'VolumesTab')
})

export const volumeRoutes = [volumes] as const
