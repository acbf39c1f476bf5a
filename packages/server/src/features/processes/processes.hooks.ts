import { isWorkerName } from '@panel/contract/processes'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Effect, ProjectRow } from '../feature.ts'
import { publishChange } from './crash-loops.service.ts'
import { syncProcesses } from './process-containers.service.ts'
import { countInstances, forgetCrashLoops, insertProcess } from './processes.repository.ts'
import { procfileOf } from './processes.service.ts'

/**
 * Gives each new worker of the release's Procfile one instance, or none when the account has no more. The deployment ends
 * after the workers were replaced.
 */
export async function processesReleased(
  deps: Dependencies,
  trx: Transaction,
  project: ProjectRow
): Promise<readonly Effect[]> {
  const procfile = await procfileOf(trx, project)
  await forgetCrashLoops(trx, project.id)
  let free = deps.config.WORKERS_PER_ACCOUNT - (await countInstances(trx, project.userId))
  for (const name of Object.keys(procfile).filter(isWorkerName)) {
    const created = await insertProcess(trx, { projectId: project.id, name, instances: free > 0 ? 1 : 0 })
    if (created) free -= created.instances
  }
  await publishChange(deps, trx, { projectId: project.id, userId: project.userId })
  return [() => syncProcesses(deps, project.id)]
}
