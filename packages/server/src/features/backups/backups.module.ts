import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { removeStaged } from '../../infra/staging/staging.ts'
import { backupStaging, mailRestoring } from '../../process/paths.ts'
import { feature } from '../feature.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { backupsNeedingAttention } from './backups.attention.ts'
import { runBackups } from './backups.jobs.ts'
import { recoverBackups } from './backups.reconcile.ts'
import { backupRoutes } from './backups.routes.ts'
import { findTarget, isAnyTarget } from './backups.repository.ts'
import { requireRestore, showBackup } from './backups.service.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { mailboxBackupRoutes } from './mailbox-backups.routes.ts'
import { getMailboxBackup, requireMailboxRestore } from './mailbox-restores.service.ts'
import { projectBackupRoutes } from './project-backups.routes.ts'
import { removeExpired, runRestore } from './restore.jobs.ts'
import { stagingPrefix } from './restore-staging.service.ts'
import { rebuildRestoredProjects } from './restored-panel.service.ts'
import { listWithStaging } from './restores.repository.ts'
import { backupCacheCleanup, backupPlaces } from './server-disk.service.ts'
import { queueDueBackups } from './schedule.service.ts'
import { requireTarget } from './targets.service.ts'

const restoreJob = z.object({ restoreId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'backups.run': object
    'backups.restore': z.infer<typeof restoreJob>
    'backups.schedule': object
  }
}

// The database rows are the queue: the reconcile loop requeues interrupted work.
const long = { timeoutSeconds: 24 * 3600 - 1, retries: 0 }

export const backups = feature({
  name: 'backups',
  routes: [backupRoutes, projectBackupRoutes, mailboxBackupRoutes],
  owners: {
    '/api/backups/targets/:id': async ({ db }, _userId, { id }) => requireTarget(await findTarget(db, id!)),
    '/api/projects/:id/backups/:backupId': ({ db }, userId, { id, backupId }) =>
      showBackup({ db }, userId, id!, backupId!),
    '/api/projects/:id/restores/:restoreId': async ({ db }, userId, { id, restoreId }) => {
      await getOwnProject(db, id!, userId)
      return requireRestore(db, id!, restoreId!)
    },
    '/api/mailboxes/:id/backups/:backupId': ({ db }, userId, { id, backupId }) =>
      getMailboxBackup(db, userId, id!, backupId!),
    '/api/mailboxes/:id/restores/:restoreId': async ({ db }, userId, { id, restoreId }) => {
      await getOwnMailbox(db, id!, userId)
      return requireMailboxRestore(db, id!, restoreId!)
    }
  },
  staging: [
    {
      folder: '',
      prefix: stagingPrefix,
      listKept: async (db) => (await listWithStaging(db)).map((id) => `${stagingPrefix}${id}`)
    }
  ],
  diskPlaces: backupPlaces,
  diskCleanups: [backupCacheCleanup],
  attention: [backupsNeedingAttention],
  jobs: {
    'backups.run': { ...long, concurrency: 2, run: (deps, _data, worker) => runBackups(deps, worker) },
    'backups.restore': {
      ...long,
      concurrency: 2,
      data: restoreJob,
      run: (deps, { restoreId }, { lease, signal }) => runRestore(deps, lease.workerId, restoreId, signal)
    },
    'backups.schedule': {
      concurrency: 1,
      timeoutSeconds: 300,
      retries: 0,
      async run(deps) {
        await queueDueBackups(deps)
        await removeExpired(deps)
      }
    }
  },
  schedules: [{ queue: 'backups.schedule', everySeconds: 60, isNeeded: isAnyTarget }],
  async recover(deps) {
    await deps.backupRepository.cleanUp()
    await removeStaged(backupStaging(deps.config))
    await removeStaged(mailRestoring(deps.config))
    await rebuildRestoredProjects(deps)
  },
  reconcile: [{ name: 'backups', on: { commits: true }, run: (deps, { lease }) => recoverBackups(deps, lease) }]
})
