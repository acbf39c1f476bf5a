import { z } from 'zod'
import { feature } from '../feature.ts'
import { runImport } from './import-job.ts'
import { recoverImports } from './import-recovery.ts'
import { wordpressRoutes } from './wordpress.routes.ts'

const importJob = z.object({ importId: z.string() })

declare module '../../jobs.ts' {
  interface Queues {
    'wordpress.import': z.infer<typeof importJob>
  }
}

export const wordpress = feature({
  name: 'wordpress',
  routes: [wordpressRoutes],
  jobs: {
    // The row is the queue: what is cut off, reconcile queues again.
    'wordpress.import': {
      concurrency: 3,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: importJob,
      run: (deps, { importId }, { lease, signal }) => runImport(deps, lease.workerId, importId, signal)
    }
  },
  reconcile: [
    { name: 'wordpress imports', on: { always: true }, run: (deps, { lease }) => recoverImports(deps, lease) }
  ]
})
