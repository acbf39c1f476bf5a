import { findSetting, removeSetting } from '../../db/settings.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { findDeployment } from '../deployments/deployment-access.ts'
import { queueDeployment } from '../deployments/deployments.service.ts'
import { listDeployedProjects, lockProject } from '../projects/project-access.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'logger' | 'now'>

/** Setting that `./panel restore` writes into the restored store. */
export const restoredKey = 'panel_restored_at'

/** Images are not in a backup: builds what ran, at the first start after a restore, from its commit or uploaded folder. */
export async function rebuildRestoredProjects(deps: Deps): Promise<void> {
  const at = await findSetting(deps.db, restoredKey)
  if (at === undefined) return
  await deps.db.transaction(async (trx) => {
    let queued = 0
    for (const { id } of await listDeployedProjects(trx)) if (await rebuild(deps, trx, id)) queued++
    await removeSetting(trx, restoredKey)
    await recordAudit(deps, trx, {}, { action: 'panel.restored', actorId: null, targetId: null, metadata: { at, queued } }) // oxfmt-ignore
  })
}

async function rebuild(deps: Deps, trx: Transaction, projectId: string): Promise<boolean> {
  const project = await lockProject(trx, projectId)
  if (!project || project.status === 'STOPPED' || project.liveDeploymentId === null) return false
  const live = await findDeployment(trx, projectId, project.liveDeploymentId)
  try {
    await queueDeployment(deps, trx, project, {
      trigger: live?.upload ? 'UPLOAD' : 'MANUAL',
      upload: live?.upload ?? null,
      commitHash: live?.commitHash ?? null,
      commitMsg: live?.commitMsg ?? null,
      buildCmd: live?.buildCmd ?? null
    })
    return true
  } catch (error) {
    // Thrown before any row is written: the account is suspended, or builds are queued already.
    if (!(error instanceof AppError)) throw error
    deps.logger.warn({ project: projectId, error: error.message }, 'not built after the restore')
    return false
  }
}
