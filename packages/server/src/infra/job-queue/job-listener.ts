import type { Logger } from 'pino'
import { lockConnection } from '../../db/lock.ts'
import { listenAlways } from '../../db/store-listener.ts'

export const jobChannel = 'panel_jobs'

/**
 * Hears of new jobs. Its connection also holds the lock by which this process lives for those that cannot see it (job-takeover.ts); the
 * server releases it after kill -9 too. Resolves when it listens for the first time.
 */
export async function createJobListener(options: {
  connectionString: string
  logger: Logger
  processName: string
  reconnectAfterMs: number
  onNotify: (queue: string) => void
}): Promise<{ close(): Promise<void> }> {
  const { processName, ...rest } = options
  return new Promise((resolve) => {
    const listener = listenAlways({
      ...rest,
      channel: jobChannel,
      prepare: (client) => lockConnection(client, `job-process:${processName}`),
      onListening: () => resolve(listener)
    })
  })
}
