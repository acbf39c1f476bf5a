import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'

const logs = createRoute({
  getParentRoute: () => projectRoute,
  path: 'logs',
  validateSearch: ({ find }: RawSearch): { find?: string | undefined } => ({ find: textIn(find) }),
  component: lazyRouteComponent(() => import('./container-log-tab.tsx'), 'ContainerLogTab')
})

export const containerRoutes = [logs] as const
