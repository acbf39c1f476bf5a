import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'

const readUsage = workerVerb('system.usage', [], async (): Promise<Record<string, number>> => {
  const { user, system } = process.cpuUsage()
  return {
    resident_bytes: process.memoryUsage.rss(),
    cpu_seconds: (user + system) / 1e6,
    uptime_seconds: process.uptime()
  }
})

/** Usage of the worker; the default metrics cover the web process. Empty while the worker is unavailable. */
export async function workerUsage(deps: Dependencies): Promise<Record<string, number>> {
  try {
    return await readUsage(deps)
  } catch (error) {
    deps.logger.warn({ error: messageOf(error) }, 'no metrics of the worker')
    return {}
  }
}
