import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { PastRestarts } from './hung-instance.policy.ts'
import { restartHungInstances } from './hung-instances.service.ts'

const everyMs = 10_000

/** Restarts instances that hang. A new lease resets the pauses. */
export function watchInstances(deps: Dependencies) {
  const stop = new AbortController()
  const past = new Map<string, PastRestarts>()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await restartHungInstances(deps, past).catch((error: unknown) =>
        deps.logger.debug({ error: messageOf(error) }, 'could not check the instances')
      )
      await sleep(everyMs, undefined, { signal: stop.signal })
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) deps.logger.error({ err: error }, 'the watch for hung instances ended')
  })
  return {
    async close(): Promise<void> {
      stop.abort()
      await watching
    }
  }
}
