import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openThread, type Thread, threadScript } from '../worker-thread/worker-thread.ts'
import type { SiteTrafficLog, TakenTraffic } from './traffic.ts'

/** In a worker thread, to keep the load off the main thread. Unread, the proxy keeps the latest 4 MB. */
export function createHaproxyTraffic(socketPath: string, { restMs = 3_000 } = {}): SiteTrafficLog {
  const script = threadScript('./traffic-reader.worker', import.meta.url)
  let thread: Thread<'take', TakenTraffic> | undefined
  return {
    async take() {
      // The socket's directory exists only after the proxy ran once.
      if (!thread && !(await isDirectory(dirname(socketPath)))) return { sites: [], lost: 0 }
      thread ??= openThread(script, { path: socketPath, restMs }, { answerWithinMs: 20_000 })
      const requested = thread
      try {
        return await requested.ask('take')
      } catch (error) {
        if (thread === requested) thread = undefined
        throw error
      }
    },
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
