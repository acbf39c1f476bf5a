import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { type DeploymentRow, findDeployment } from './deployments.repository.ts'
import { Superseded } from './release.service.ts'

const statusPollMs = 1_000

/** Polls, because another process may cancel the deployment or delete the project. */
export function watchForEnd(
  deps: Pick<Dependencies, 'db' | 'logger'>,
  deployment: DeploymentRow
): { signal: AbortSignal; stop(): void } {
  const moved = new AbortController()
  const stopped = new AbortController()
  void (async () => {
    while (!stopped.signal.aborted) {
      await sleep(statusPollMs, undefined, { signal: stopped.signal })
      const row = await findDeployment(deps.db, deployment.projectId, deployment.id)
      if (row?.status !== 'BUILDING' && row?.status !== 'DEPLOYING')
        moved.abort(new Superseded('the deployment was ended elsewhere'))
    }
  })().catch((error: unknown) => {
    if (!stopped.signal.aborted)
      deps.logger.warn(
        { error: messageOf(error), deployment: deployment.id },
        'could not check the status of a deployment'
      )
  })
  return { signal: moved.signal, stop: () => stopped.abort() }
}
