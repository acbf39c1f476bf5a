import type { Dependencies } from '../../dependencies.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { messageOf } from '../../text/message-of.ts'
import { watchEachMachine } from '../nodes/watch-machines.service.ts'
import { recordOutOfMemory } from './out-of-memory.service.ts'

/** Follows the engines' reports of containers that ran out of memory. Runs per process; each report is recorded once. */
export function watchOutOfMemory(deps: Dependencies) {
  const stop = new AbortController()
  const watching = watchEachMachine(deps, watchMachine, stop.signal).catch((error: unknown) =>
    deps.logger.error({ err: error }, 'the watch for out-of-memory kills ended')
  )
  return {
    async close(): Promise<void> {
      stop.abort()
      await watching
    }
  }
}

async function watchMachine(there: Dependencies, signal: AbortSignal): Promise<void> {
  const onKill = (id: string) =>
    void recordOutOfMemory(there, id).catch((error: unknown) =>
      there.logger.warn({ container: id, error: messageOf(error) }, 'could not record an out-of-memory kill')
    )
  await there.engine
    .watchOutOfMemory({ [label.instance]: there.instanceId }, onKill, signal)
    .catch((error: unknown) => there.logger.debug({ error: messageOf(error) }, 'lost the memory events'))
}
