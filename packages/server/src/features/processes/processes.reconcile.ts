import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { reconcileMachines } from '../nodes/on-machine.service.ts'
import { checkCrashLoop } from './crash-loops.service.ts'
import { listInstances, listRunnableWorkers, syncProcessesThere } from './process-containers.service.ts'
import { isSettled, planProcesses, wantedInstances } from './process-plan.policy.ts'

/** Starts missing workers, removes outdated and surplus ones, and notices crash loops. */
export async function reconcileProcesses(deps: Dependencies): Promise<'again' | 'done'> {
  return reconcileMachines(deps, 'workers', reconcileThere)
}

async function reconcileThere(deps: Dependencies): Promise<'again' | 'done'> {
  // Engine before database, so that a container that just started is not taken for a surplus one.
  const found = await listInstances(deps)
  const workers = await listRunnableWorkers(deps)
  const projectIds = new Set([...found, ...workers].map(({ projectId }) => projectId))
  const rounds = await Promise.all(
    [...projectIds].map(async (projectId) => {
      const ofProject = (each: { projectId: string }) => each.projectId === projectId
      const own = found.filter(ofProject)
      const wanted = workers.filter(ofProject).flatMap(wantedInstances)
      if (isSettled(planProcesses(wanted, own))) return false
      deps.logger.info({ projectId }, 'bringing workers in line')
      await attempt(deps, projectId, () => syncProcessesThere(deps, projectId))
      return true
    })
  )
  const checks = await Promise.all(
    workers.map(async (worker) => {
      const own = found.filter(({ projectId, process }) => projectId === worker.projectId && process === worker.name)
      return (await attempt(deps, worker.projectId, () => checkCrashLoop(deps, worker, own))) ?? true
    })
  )
  return [...rounds, ...checks].some((isUnderWay) => isUnderWay) ? 'again' : 'done'
}

/** A failing project does not stop the others; the next round tries it again. */
async function attempt<T>(
  deps: Pick<Dependencies, 'logger'>,
  projectId: string,
  work: () => Promise<T>
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    deps.logger.warn({ projectId, error: messageOf(error) }, 'could not reconcile the workers of a project')
    return undefined
  }
}
