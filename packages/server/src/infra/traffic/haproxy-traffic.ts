import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openThread, type Thread, threadScript } from '../worker-thread/worker-thread.ts'
import type { SiteTrafficLog, TakenTraffic } from './traffic.ts'

/**
 * Reads what the proxy tells of requests to sites, in a thread of its own: the one that works for people has none of it. While nobody
 * reads, the proxy keeps the newest 4 MB.
 */
export function createHaproxyTraffic(socketPath: string, { restMs = 3_000 } = {}): SiteTrafficLog {
  const script = threadScript('./traffic-reader.worker', import.meta.url)
  let thread: Thread<'take', TakenTraffic> | undefined
  return {
    async take() {
      // Before the proxy has run for the first time there is nothing to read, and no place for the socket.
      if (!thread && !(await isDirectory(dirname(socketPath)))) return { sites: [], lost: 0 }
      thread ??= openThread(script, { path: socketPath, restMs }, { answerWithinMs: 20_000 })
      const requested = thread
      try {
        return await requested.ask('take')
      } catch (error) {
        // It has ended, and with it what it had counted; the next one reads on.
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
