import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { isMeasurementDue } from './container-disk.policy.ts'
import { limitsOf } from './container-disk.jobs.ts'

const checkEveryMs = 2_000

/** Triggers a measurement when free space drops sharply. Runs per process; the job key keeps it to one job. */
export function watchFreeSpace(deps: Dependencies) {
  let measured: { directory: string; free: number } | undefined
  const check = async () => {
    if (!measured) return
    const { directory, free: atMeasurement } = measured
    const now = await deps.freeDiskBytes(directory)
    if (now === undefined || measured?.directory !== directory) return
    if (!isMeasurementDue({ atMeasurement, now }, limitsOf(deps))) {
      // Space that was freed in the meantime may be written again.
      measured = { directory, free: Math.max(atMeasurement, now) }
      return
    }
    measured = undefined
    await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'container-disk.measure', {}, { key: 'grown' }))
  }
  const timer = setInterval(() => {
    check().catch((error: unknown) => deps.logger.warn({ error: messageOf(error) }, 'could not check free disk space'))
  }, checkEveryMs)
  return {
    check,
    /** Starts a new baseline. Call before measuring containers. */
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
