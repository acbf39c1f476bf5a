import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import type { Dependencies } from '../../dependencies.ts'
import type { WorkerLease } from '../../infra/worker-lease/worker-lease.ts'
import { deploymentQueues } from './deployment.machine.ts'
import { failureMark } from './failure.policy.ts'
import { notifyOutcome } from './outcome-notification.service.ts'
import { leaveAtOnce } from './machine-moves.service.ts'
import { appendLog, listInFlight, listQueuedTriggers, moveDeployment } from './deployments.repository.ts'

/** RUNNING if the container had already taken over, else FAILED. Reconcile cleans up the engine. */
export async function recoverDeployments(
  deps: Pick<Dependencies, 'db' | 'events' | 'features' | 'jobs' | 'now' | 'sessions'>,
  lease: Pick<WorkerLease, 'findDead'>
): Promise<{ ended: number; underWay: number }> {
  const inFlight = await listInFlight(deps.db)
  const workerIds = [...new Set(inFlight.flatMap((row) => (row.workerId === null ? [] : [row.workerId])))]
  const dead = new Set(await lease.findDead(workerIds))
  const orphans = inFlight.filter((row) => row.workerId === null || dead.has(row.workerId))
  for (const row of orphans) {
    const tookOver = row.liveDeploymentId === row.id
    const sentences = [{ code: 'PANEL_STOPPED_MEANWHILE' as const, values: { status: row.status } }]
    const reason = sentenceText(failureTexts, sentences)
    await deps.db.transaction(async (trx) => {
      const phase = row.status === 'BUILDING' ? 'BUILD' : 'START'
      const failure = { phase, reason, sentences, exitCode: null, line: null } as const
      const moved = tookOver
        ? await moveDeployment(trx, row.id, 'RUNNING', deps.now())
        : await moveDeployment(trx, row.id, 'FAILED', deps.now(), { failure })
      if (!moved) return
      if (!tookOver) await appendLog(trx, row.id, `\n${failureMark}${reason}\n`)
      await notifyOutcome(deps, trx, moved, tookOver ? undefined : failure)
    })
  }
  if (orphans.length > 0) await leaveAtOnce(deps, orphans.map(({ projectId }) => projectId)) // oxfmt-ignore
  return { ended: orphans.length, underWay: inFlight.length - orphans.length }
}

/** Re-enqueues queued deployments whose wake-up was lost. Resolves with whether any is queued. */
export async function enqueuePending(deps: Pick<Dependencies, 'db' | 'jobs'>): Promise<boolean> {
  const queued = await listQueuedTriggers(deps.db)
  if (queued.length === 0) return false
  await deps.db.transaction(async (trx) => {
    for (const { name, triggers } of Object.values(deploymentQueues)) {
      if (queued.some((trigger) => triggers.some((served) => served === trigger)))
        await deps.jobs.enqueue(trx, name, {}, { key: 'next' })
    }
  })
  return true
}
