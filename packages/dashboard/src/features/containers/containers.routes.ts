import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { numberIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { tails } from './containers.queries.ts'

interface LogSearch {
  find?: string | undefined
  tail?: number | undefined
}

const logs = createRoute({
  getParentRoute: () => projectRoute,
  path: 'logs',
  validateSearch: ({ find, tail }: RawSearch): LogSearch => ({
    find: textIn(find),
    tail: tails.find((lines) => lines === numberIn(tail))
  }),
  component: lazyRouteComponent(() => import('./container-log-tab.tsx'), 'ContainerLogTab')
})

export const containerRoutes = [logs] as const
