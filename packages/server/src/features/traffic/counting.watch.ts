import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { messageOf } from '../../text/message-of.ts'
import { leftOut, minuteOf } from './traffic.policy.ts'
import { saveTraffic, type TrafficBatch } from './traffic.repository.ts'

const minuteMs = 60_000

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'nodeId' | 'now' | 'siteTraffic'>

/**
 * Counts requests to sites per minute. Each request reaches one privileged process. A crash loses the open minute only,
 * since each batch has an ID that makes writing it idempotent.
 */
export function countTraffic(deps: Deps) {
  let since = deps.now()
  let lost = 0
  let waiting: readonly TrafficBatch[] = []
  let timer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined
  let turn: Promise<void> = Promise.resolve()

  async function flushNow(): Promise<void> {
    const taken = await deps.siteTraffic.take()
    const batch = { id: newId(), at: minuteOf(since), sites: taken.sites, lost: taken.lost + lost }
    since = deps.now()
    lost = 0
    if (batch.sites.length > 0 || batch.lost > 0) waiting = [...waiting, batch]
    const { kept, lost: tooMany } = leftOut(waiting)
    waiting = kept
    lost = tooMany
    const options = { nodeId: deps.nodeId, namedSites: deps.config.METRICS_SITES }
    for (let next = waiting[0]; next; next = waiting[0]) {
      await saveTraffic(deps.db, next, options)
      waiting = waiting.slice(1)
    }
  }

  const flush = (): Promise<void> => (turn = turn.then(flushNow, flushNow))
  const tryFlush = () =>
    flush().catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'requests to sites'))

  const plan = () => {
    if (closing) return
    timer = setTimeout(() => void tryFlush().finally(plan), minuteMs - (deps.now().getTime() % minuteMs))
    timer.unref()
  }

  const close = (): Promise<void> => {
    clearTimeout(timer)
    return (closing ??= tryFlush())
  }

  return {
    /** Counts until `signal` aborts or it is closed. */
    async begin(signal: AbortSignal): Promise<void> {
      if (timer) return
      plan()
      signal.addEventListener('abort', () => void close(), { once: true })
      await flush()
    },
    flush,
    close
  }
}
