import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { messageOf } from '../../text/message-of.ts'
import { recordOutOfMemory } from './out-of-memory.service.ts'

const reconnectMs = 5_000

/** Follows the engine's reports of containers that ran out of memory. Runs per process; each report is recorded once. */
export function watchOutOfMemory(deps: Dependencies) {
  const stop = new AbortController()
  const onKill = (id: string) =>
    void recordOutOfMemory(deps, id).catch((error: unknown) =>
      deps.logger.warn({ container: id, error: messageOf(error) }, 'could not record an out-of-memory kill')
    )
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await deps.engine
        .watchOutOfMemory({ [label.instance]: deps.instanceId }, onKill, stop.signal)
        .catch((error: unknown) => deps.logger.debug({ error: messageOf(error) }, 'lost the memory events'))
      await sleep(reconnectMs, undefined, { signal: stop.signal })
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) deps.logger.error({ err: error }, 'the watch for out-of-memory kills ended')
  })
  return {
    async close(): Promise<void> {
      stop.abort()
      await watching
    }
  }
}
