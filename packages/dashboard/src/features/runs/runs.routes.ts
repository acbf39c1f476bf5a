import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn, type RawSearch, textIn } from '../../routes/search.ts'
import { projectRoute } from '../projects/projects.routes.ts'
import { runsQuery, scheduledJobsQuery } from './runs.queries.ts'

interface JobsSearch {
  /** The run whose output is shown. */
  d?: string | undefined
  jobs?: number | undefined
  page?: number | undefined
}

const jobs = createRoute({
  getParentRoute: () => projectRoute,
  path: 'jobs',
  validateSearch: ({ d, jobs, page }: RawSearch): JobsSearch => ({
    d: textIn(d),
    jobs: pageIn(jobs),
    page: pageIn(page)
  }),
  loaderDeps: ({ search: { jobs, page } }) => ({ jobs, page }),
  loader: ({ context: { queryClient }, params: { projectId }, deps }) => {
    void queryClient.prefetchQuery(scheduledJobsQuery(projectId, deps.jobs))
    void queryClient.prefetchQuery(runsQuery(projectId, deps.page))
  },
  component: lazyRouteComponent(() => import('./jobs-tab.tsx'), 'JobsTab')
})

export const runRoutes = [jobs] as const
