import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { numberIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { tails } from './containers.queries.ts'

interface LogSearch {
  find?: string | undefined
  /** A worker; its first instance unless `instance` is set. Default: the site. */
  process?: string | undefined
  instance?: number | undefined
  tail?: number | undefined
}

const logs = createRoute({
  getParentRoute: () => projectRoute,
  path: 'logs',
  validateSearch: ({ find, process, instance, tail }: RawSearch): LogSearch => ({
    find: textIn(find),
    process: textIn(process),
    instance: numberIn(instance),
    tail: tails.find((lines) => lines === numberIn(tail))
  }),
  component: lazyRouteComponent(() => import('./container-log-tab.tsx'), 'ContainerLogTab')
})

export const containerRoutes = [logs] as const
