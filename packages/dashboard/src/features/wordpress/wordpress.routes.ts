import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { projectRoute } from '../projects/projects.routes.ts'
import { latestImportQuery, pageCacheQuery } from './wordpress.queries.ts'

const wordpress = createRoute({
  getParentRoute: () => projectRoute,
  path: 'wordpress',
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(latestImportQuery(params.projectId))
    void context.queryClient.prefetchQuery(pageCacheQuery(params.projectId))
  },
  component: lazyRouteComponent(() => import('./wordpress-tab.tsx'), 'WordpressTab')
})

export const wordpressRoutes = [wordpress] as const
