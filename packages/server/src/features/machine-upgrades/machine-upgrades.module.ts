import { feature } from '../feature.ts'
import { isAnyOpen, runUpgrades } from './machine-upgrades.jobs.ts'
import { machineUpgradeRoutes } from './machine-upgrades.routes.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'machine_upgrades.run': object
  }
}

export const machineUpgrades = feature({
  name: 'machine-upgrades',
  routes: [machineUpgradeRoutes],
  jobs: {
    // The rows are the queue.
    'machine_upgrades.run': {
      concurrency: 1,
      timeoutSeconds: 4 * 3600,
      retries: 0,
      run: (deps, _data, { signal }) => runUpgrades(deps, signal)
    }
  },
  // Continues after an interruption.
  schedules: [{ queue: 'machine_upgrades.run', everySeconds: 60, isNeeded: isAnyOpen }]
})
