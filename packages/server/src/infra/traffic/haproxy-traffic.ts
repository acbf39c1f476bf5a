import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openThread, type Thread, threadScript } from '../worker-thread/worker-thread.ts'
import type { TrafficRequest } from './traffic-reader.worker.ts'
import type { SiteLogIns, SiteTrafficLog, TakenTraffic } from './traffic.ts'

/** In a worker thread, to keep the load off the main thread. Unread, the proxy keeps the latest 4 MB. */
export function createHaproxyTraffic(socketPath: string, { restMs = 3_000 } = {}): SiteTrafficLog {
  const script = threadScript('./traffic-reader.worker', import.meta.url)
  let thread: Thread<TrafficRequest, TakenTraffic | SiteLogIns[]> | undefined
  /** Undefined before the proxy ran once: the socket's directory does not exist yet. */
  const ask = async (request: TrafficRequest) => {
    if (!thread && !(await isDirectory(dirname(socketPath)))) return undefined
    thread ??= openThread(script, { path: socketPath, restMs }, { answerWithinMs: 20_000 })
    const requested = thread
    try {
      return await requested.ask(request)
    } catch (error) {
      if (thread === requested) thread = undefined
      throw error
    }
  }
  return {
    take: async () => ((await ask('take')) as TakenTraffic | undefined) ?? { sites: [], lost: 0 },
    takeLogIns: async () => ((await ask('take-log-ins')) as SiteLogIns[] | undefined) ?? [],
    async close() {
      const open = thread
      thread = undefined
      await open?.close()
    }
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )
