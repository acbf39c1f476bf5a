import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { isMeasurementDue } from './container-disk.policy.ts'
import { limitsOf } from './container-disk.jobs.ts'

const checkEveryMs = 2_000

/**
 * Between two measurements, looks at what is free on the engine's disk, which costs nothing, and has containers measured at once when that
 * has become much less. Per process: of two that see it, one job is made.
 */
export function watchFreeSpace(deps: Dependencies) {
  let measured: { directory: string; free: number } | undefined
  const check = async () => {
    if (!measured) return
    const { directory, free: atMeasurement } = measured
    const now = await deps.freeDiskBytes(directory)
    if (now === undefined || measured?.directory !== directory) return
    if (!isMeasurementDue({ atMeasurement, now }, limitsOf(deps))) {
      // What somebody has freed meanwhile may be written again.
      measured = { directory, free: Math.max(atMeasurement, now) }
      return
    }
    measured = undefined // Until it was measured.
    await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'container-disk.measure', {}, { key: 'grown' }))
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'what is free for containers'))
  }, checkEveryMs)
  return {
    check,
    /** From here on it is counted anew. To be called before containers are measured. */
    async begin(): Promise<void> {
      const directory = await deps.engine.storageDirectory()
      const free = await deps.freeDiskBytes(directory)
      measured = free === undefined ? undefined : { directory, free }
    },
    async close(): Promise<void> {
      clearInterval(timer)
    }
  }
}
