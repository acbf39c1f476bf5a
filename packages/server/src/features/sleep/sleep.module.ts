import { feature } from '../feature.ts'
import { countTraffic } from '../traffic/counting.watch.ts'
import { sleepIdleSites } from './sleep.jobs.ts'
import { canAnySleep } from './sleep.repository.ts'
import { sleepRoutes } from './sleep.routes.ts'
import { openWakeGate } from './wake.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'sleep.idle': object
  }
}

export const sleep = feature({
  name: 'sleep',
  routes: [sleepRoutes],
  jobs: {
    'sleep.idle': {
      concurrency: 1,
      timeoutSeconds: 120,
      retries: 0,
      async run(deps, _data, { resource }) {
        await resource(countTraffic).flush()
        await sleepIdleSites(deps)
      }
    }
  },
  schedules: [{ queue: 'sleep.idle', everySeconds: 60, isNeeded: canAnySleep }],
  // In every privileged process, because each machine has its own proxy.
  reconcile: [{ name: 'wake gate', on: {}, run: async (_deps, { resource }) => void resource(openWakeGate) }]
})
