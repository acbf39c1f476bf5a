import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { queueAutomaticUpdates } from './automatic-updates.jobs.ts'
import { stagingPrefix } from './care-paths.service.ts'
import { runDueEvents } from './cron.jobs.ts'
import { deleteSite, isAnyCheckDue, isAnyUpdateDue } from './sites.repository.ts'
import { wordpressStagingRoutes } from './staging.routes.ts'
import { runTask } from './task.jobs.ts'
import { recoverTasks } from './task.reconcile.ts'
import { getTask } from './task-request.service.ts'
import {
  deleteTasksOf,
  isAnyUndoable,
  listChangingProjects,
  listRestoredProjects,
  listTaskIdsWithCopy,
  sumUndoBytes,
  usesDatabase
} from './tasks.repository.ts'
import { dropOldUndos } from './undo.service.ts'
import { wordpressCareRoutes } from './wordpress-care.routes.ts'

const taskJob = z.object({ taskId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'wordpress.task': z.infer<typeof taskJob>
    'wordpress.events': object
    'wordpress.automatic': object
    'wordpress.undos': object
  }
}

export const wordpressCare = feature({
  name: 'wordpress-care',
  routes: [wordpressCareRoutes, wordpressStagingRoutes],
  owners: {
    '/api/projects/:id/wordpress/tasks/:taskId': ({ db }, userId, { id, taskId }) =>
      getTask({ db }, userId, id!, taskId!)
  },
  jobs: {
    'wordpress.task': {
      concurrency: 3,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: taskJob,
      run: (deps, { taskId }, { lease, signal }) => runTask(deps, lease.workerId, taskId, signal)
    },
    'wordpress.events': {
      concurrency: 1,
      timeoutSeconds: 120,
      retries: 0,
      run: (deps, _data, { signal }) => runDueEvents(deps, signal)
    },
    'wordpress.automatic': {
      concurrency: 1,
      timeoutSeconds: 3600,
      retries: 0,
      run: (deps, _data, { signal }) => queueAutomaticUpdates(deps, signal)
    },
    'wordpress.undos': { concurrency: 1, timeoutSeconds: 3600, retries: 0, run: dropOldUndos }
  },
  schedules: [
    { queue: 'wordpress.events', everySeconds: 5, isNeeded: isAnyCheckDue },
    { queue: 'wordpress.automatic', everySeconds: 300, isNeeded: isAnyUpdateDue },
    { queue: 'wordpress.undos', everySeconds: 300, isNeeded: isAnyUndoable }
  ],
  staging: [
    {
      folder: '',
      prefix: stagingPrefix,
      listKept: async (db) => (await listTaskIdsWithCopy(db)).map((id) => `${stagingPrefix}${id}`)
    }
  ],
  project: {
    listHeld: listRestoredProjects,
    async deleted(_deps, trx, { id }) {
      await deleteSite(trx, id)
      await deleteTasksOf(trx, id)
    }
  },
  deployment: { listPostponed: listChangingProjects },
  database: {
    deletionProblem: async (trx, id) =>
      (await usesDatabase(trx, id)) ? 'The WordPress site of this database is being changed. Wait for that to finish.' : undefined // oxfmt-ignore
  },
  diskUsage: {
    kind: 'FILES',
    // File system quotas count these files already.
    measure: async ({ accountDisk, db }, accounts) =>
      (await accountDisk.isLimited()) ? new Map() : sumUndoBytes(db, accounts.map(({ id }) => id)) // oxfmt-ignore
  },
  reconcile: [{ name: 'wordpress tasks', on: { commits: true }, run: (deps, { lease }) => recoverTasks(deps, lease) }]
})
