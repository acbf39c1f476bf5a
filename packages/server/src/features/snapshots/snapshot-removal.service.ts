import type { Dependencies } from '../../dependencies.ts'
import { removeStaged } from '../../infra/staging/staging.ts'
import { lockProject } from '../projects/project-access.ts'
import { snapshotPaths } from './snapshot-paths.service.ts'
import { deleteSnapshot, listStraySnapshots, markSnapshotRemoved, type SnapshotRow } from './snapshots.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

/** Longer than an upload takes: its process was killed before it queued the deployment. */
const abandonedAfterMs = 60 * 60_000

export async function removeStraySnapshots(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - abandonedAfterMs)
  for (const snapshot of await listStraySnapshots(deps.db, before)) {
    const isStray = await deps.db.transaction(async (trx) => {
      // A roll back may be requested at the same time.
      const project = await lockProject(trx, snapshot.projectId)
      return project === undefined || (await markSnapshotRemoved(trx, snapshot.id, before))
    })
    if (isStray) await removeSnapshot(deps, snapshot)
  }
}

export async function removeSnapshot(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  { uid, ...snapshot }: Pick<SnapshotRow, 'id' | 'projectId'> & { uid: number }
): Promise<void> {
  const { files, draft, archive } = snapshotPaths(config, uid, snapshot)
  for (const path of [archive, draft, files]) await removeStaged(path)
  await deleteSnapshot(db, snapshot.id)
}
