import type { Logger } from 'pino'
import { lockConnection } from '../../db/lock.ts'
import { listenAlways } from '../../db/store-listener.ts'

export const jobChannel = 'panel_jobs'

/** Its connection also holds the lock that proves this process alive (job-takeover.ts), even after kill -9. */
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
