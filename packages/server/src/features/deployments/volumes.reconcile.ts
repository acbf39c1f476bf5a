import type { Dependencies } from '../../dependencies.ts'
import { lockProject } from '../projects/project-access.ts'
import { listOutdatedMounts } from '../volumes/volume-access.ts'
import { redeployLiveImage } from './deployments.service.ts'

/** Replaces containers whose volumes changed while the project was stopped or being deployed. */
export async function reconcileMounts(deps: Pick<Dependencies, 'db' | 'jobs' | 'now'>): Promise<void> {
  for (const id of await listOutdatedMounts(deps.db))
    await deps.db.transaction(async (trx) => {
      const project = await lockProject(trx, id)
      if (project) await redeployLiveImage(deps, trx, project)
    })
}
