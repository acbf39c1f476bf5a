import { z } from 'zod'
import { feature } from '../feature.ts'
import { containerRoutes } from './containers.routes.ts'
import { retireContainer } from './retire.ts'

const retireJob = z.object({ deploymentId: z.string() })

declare module '../../jobs.ts' {
  interface Queues {
    'containers.retire': z.infer<typeof retireJob>
  }
}

export const containers = feature({
  name: 'containers',
  routes: [containerRoutes],
  jobs: {
    'containers.retire': {
      concurrency: 4,
      timeoutSeconds: 3600,
      retries: 3,
      data: retireJob,
      run: (deps, { deploymentId }, { stopped }) => retireContainer(deps, deploymentId, stopped)
    }
  }
})
