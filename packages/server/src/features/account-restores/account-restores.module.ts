import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { feature } from '../feature.ts'
import { runAccountRestore } from './account-restore.jobs.ts'
import { recoverAccountRestores } from './account-restores.reconcile.ts'
import { listOpenAccountRestoreIds } from './account-restores.repository.ts'
import { accountRestoreRoutes } from './account-restores.routes.ts'
import { showAccountRestore } from './account-restores.service.ts'
import { stagingPrefix } from './account-snapshot.service.ts'

const accountRestoreJob = z.object({ accountRestoreId: Id })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'backups.restore-account': z.infer<typeof accountRestoreJob>
  }
}

export const accountRestores = feature({
  name: 'account-restores',
  routes: [accountRestoreRoutes],
  owners: {
    '/api/backups/account-restores/:id': ({ db }, _userId, { id }) => showAccountRestore({ db }, id!)
  },
  staging: [
    {
      folder: '',
      prefix: stagingPrefix,
      listKept: async (db) => (await listOpenAccountRestoreIds(db)).map((id) => `${stagingPrefix}${id}`)
    }
  ],
  jobs: {
    'backups.restore-account': {
      concurrency: 1,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: accountRestoreJob,
      run: (deps, { accountRestoreId }, { lease, signal }) =>
        runAccountRestore(deps, lease.workerId, accountRestoreId, signal)
    }
  },
  reconcile: [
    {
      name: 'restores of accounts',
      on: { commits: true },
      run: (deps, { lease }) => recoverAccountRestores(deps, lease)
    }
  ]
})
