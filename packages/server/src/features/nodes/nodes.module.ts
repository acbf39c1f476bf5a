import { feature } from '../feature.ts'
import { removeEdge } from './edges.service.ts'
import { machinesNeedingAttention } from './nodes.attention.ts'
import { checkMachines } from './nodes.jobs.ts'
import { nodeRoutes } from './nodes.routes.ts'
import { requireMachine } from './nodes.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'nodes.check': object
    'nodes.remove_edge': { id: string }
  }
}

export const nodes = feature({
  name: 'nodes',
  routes: [nodeRoutes],
  attention: [machinesNeedingAttention],
  owners: { '/api/machines/:id': ({ db }, _userId, { id }) => requireMachine(db, id!) },
  jobs: {
    'nodes.check': { concurrency: 1, timeoutSeconds: 120, retries: 0, run: checkMachines },
    // Its files have keys: again until the machine responds.
    'nodes.remove_edge': { concurrency: 1, timeoutSeconds: 120, retries: 20, run: removeEdge }
  },
  schedules: [{ queue: 'nodes.check', everySeconds: 60 }]
})
