import { z } from 'zod'
import { feature } from '../feature.ts'
import { projectRoutes } from './projects.routes.ts'
import { purgeProject } from './purge.ts'

const purgeJob = z
  .object({
    projectId: z.string(),
    // As version 0.1 queued it.
    hostnames: z.array(z.string()).default([]),
    routes: z.array(z.object({ hostname: z.string(), pathPrefix: z.string().nullable() })).default([]),
    certificateIds: z.array(z.string()).default([]),
    zoneIds: z.array(z.string()).default([])
  })
  .transform(({ hostnames, routes, ...rest }) => ({
    ...rest,
    routes: [...routes, ...hostnames.map((hostname) => ({ hostname, pathPrefix: null }))]
  }))

declare module '../../jobs.ts' {
  interface Queues {
    'projects.purge': z.infer<typeof purgeJob>
  }
}

export const projects = feature({
  name: 'projects',
  routes: [projectRoutes],
  jobs: {
    'projects.purge': {
      concurrency: 2,
      timeoutSeconds: 600,
      retries: 50,
      data: purgeJob,
      run: (deps, { projectId, ...removal }) => purgeProject(deps, projectId, removal)
    }
  }
})
