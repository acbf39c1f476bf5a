import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { type UptimeRange, uptimeRanges, uptimeChecksQuery } from './uptime-checks.queries.ts'

interface UptimeSearch {
  d?: string | undefined
  range?: UptimeRange | undefined
  checks?: number | undefined
  page?: number | undefined
}

const uptime = createRoute({
  getParentRoute: () => projectRoute,
  path: 'uptime',
  validateSearch: ({ d, range, checks, page }: RawSearch): UptimeSearch => ({
    d: textIn(d),
    range: oneOf(uptimeRanges, range),
    checks: pageIn(checks),
    page: pageIn(page)
  }),
  loaderDeps: ({ search: { checks } }) => ({ checks }),
  loader: ({ context, params, deps }) =>
    void context.queryClient.prefetchQuery(uptimeChecksQuery(params.projectId, deps.checks)),
  component: lazyRouteComponent(() => import('./uptime-tab.tsx'), 'UptimeTab')
})

export const uptimeCheckRoutes = [uptime] as const
