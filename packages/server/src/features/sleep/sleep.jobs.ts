import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { isIdle } from './sleep.policy.ts'
import { listActivity } from './sleep.repository.ts'
import { putToSleep } from './sleep.service.ts'

/** The next run continues. */
const mostAtOnce = 16

/** Call after the requests until now were counted. */
export async function sleepIdleSites(deps: Dependencies): Promise<void> {
  const now = deps.now()
  const idle = (await listActivity(deps.db, deps.nodeId, now)).filter((activity) => isIdle(activity, now))
  await Promise.all(
    idle
      .slice(0, mostAtOnce)
      .map(({ projectId }) =>
        putToSleep(deps, projectId).catch((error: unknown) =>
          deps.logger.warn({ projectId, error: messageOf(error) }, 'a site could not be put to sleep')
        )
      )
  )
}
