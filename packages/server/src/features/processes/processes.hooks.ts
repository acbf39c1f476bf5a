import { isWorkerName } from '@panel/contract/processes'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { appendLog } from '../deployments/deployment-access.ts'
import type { Effect, ProjectRow } from '../feature.ts'
import { lockWithResellers } from '../users/account-access.ts'
import { addCapacity } from '../users/capacity.policy.ts'
import { readRoom } from '../users/capacity.service.ts'
import { publishChange } from './crash-loops.service.ts'
import { syncProcesses } from './process-containers.service.ts'
import { fitWorkers, workerCapacity } from './process-limits.policy.ts'
import { countInstances, forgetProblems, insertProcess, lockProcess, type ProcessRow, updateProcess } from './processes.repository.ts' // oxfmt-ignore
import { procfileOf } from './processes.service.ts'

/** Gives each new worker of the release's Procfile one instance. The deployment ends after the workers were replaced. */
export async function processesReleased(
  deps: Dependencies,
  trx: Transaction,
  project: ProjectRow,
  before: ProjectRow
): Promise<readonly Effect[]> {
  await forgetProblems(trx, project.id)
  const [procfile, previous] = [await procfileOf(trx, project), await procfileOf(trx, before)]
  const added: ProcessRow[] = []
  for (const name of Object.keys(procfile).filter((name) => isWorkerName(name) && !Object.hasOwn(previous, name))) {
    const inserted = await insertProcess(trx, { projectId: project.id, name, instances: 1 })
    const row = inserted ?? (await lockProcess(trx, project.id, name))!
    // One with a command of its own ran before, too.
    if (row.command === null) added.push(row)
  }
  if (added.length > 0) await scaleToFit(deps, trx, project, added)
  await publishChange(deps, trx, { projectId: project.id, userId: project.userId })
  return [() => syncProcesses(deps, project.id)]
}

/** A release goes live even if the account has no room for its workers: those get fewer instances, or none. */
async function scaleToFit(
  deps: Dependencies,
  trx: Transaction,
  project: ProjectRow,
  added: readonly ProcessRow[]
): Promise<void> {
  const { config } = deps
  // Both include what was added.
  const free = config.WORKERS_PER_ACCOUNT - (await countInstances(trx, project.userId))
  const left = await readRoom(deps, trx, await lockWithResellers(trx, project.userId))
  const room = {
    ...addCapacity([left, ...added.map((worker) => workerCapacity(config, worker))]),
    instances: added.reduce((sum, { instances }) => sum + instances, free)
  }
  for (const worker of fitWorkers(config, added, room)) {
    const { name, instances, fitting } = worker
    if (fitting === instances) continue
    await updateProcess(trx, worker, { instances: fitting })
    const line =
      `${name} has ${fitting} of ${instances} instances: the account has no room for more within its ` +
      'limits of memory, CPU cores and worker instances. Scale others down, then scale it up.'
    await appendLog(trx, project.liveDeploymentId!, `${line}\n`)
  }
}
