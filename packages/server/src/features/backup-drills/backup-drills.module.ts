import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { restoredPrefix } from './drill-scratch.service.ts'
import { runDrill } from './drill.jobs.ts'
import { drillsNeedingAttention } from './drills.attention.ts'
import { recoverDrills } from './drills.reconcile.ts'
import { isAnyTargetOrDrill, listOpenDrillIds } from './drills.repository.ts'
import { drillRoutes } from './drills.routes.ts'
import { queueDueDrill } from './drills.service.ts'

const drillJob = z.object({ drillId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'backups.drill': z.infer<typeof drillJob>
    'backups.drill-schedule': object
  }
}

export const backupDrills = feature({
  name: 'backup-drills',
  routes: [drillRoutes],
  // Their containers have slots like those of runs, which reconcile removes once the drill has ended.
  project: { listRuns: listOpenDrillIds },
  staging: [
    {
      folder: '',
      prefix: restoredPrefix,
      listKept: async (db) => (await listOpenDrillIds(db)).map((id) => `${restoredPrefix}${id}`)
    },
    { folder: 'drills', prefix: '', listKept: listOpenDrillIds }
  ],
  attention: [drillsNeedingAttention],
  jobs: {
    'backups.drill': {
      concurrency: 1,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: drillJob,
      run: (deps, { drillId }, { lease, signal }) => runDrill(deps, lease.workerId, drillId, signal)
    },
    'backups.drill-schedule': { concurrency: 1, timeoutSeconds: 300, retries: 0, run: queueDueDrill }
  },
  schedules: [{ queue: 'backups.drill-schedule', everySeconds: 60, isNeeded: isAnyTargetOrDrill }],
  reconcile: [{ name: 'backup drills', on: { commits: true }, run: (deps, { lease }) => recoverDrills(deps, lease) }]
})
