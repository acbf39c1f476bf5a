import { removeStaged } from '../../infra/staging/staging.ts'
import { feature } from '../feature.ts'
import { findProjectUid } from './snapshots.repository.ts'
import { settlePlacements } from './placement.service.ts'
import { projectSnapshots } from './snapshot-paths.service.ts'
import { removeStraySnapshots } from './snapshot-removal.service.ts'

export const snapshots = feature({
  name: 'snapshots',
  project: {
    async purge({ config, db }, projectId) {
      const uid = await findProjectUid(db, projectId)
      if (uid !== undefined) await removeStaged(projectSnapshots(config, uid, projectId))
    }
  },
  reconcile: [
    { name: 'stray snapshots', on: {}, run: removeStraySnapshots },
    {
      name: 'exchanged files',
      on: { tables: ['deployments'] },
      run: async (deps) => ((await settlePlacements(deps)) ? 'again' : 'done')
    }
  ]
})
