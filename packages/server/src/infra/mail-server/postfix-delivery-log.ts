import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { AdapterError } from '../adapter-error.ts'
import { threadScript, WorkerThreadError } from '../worker-thread/worker-thread.ts'
import type { DeliveryCounts, DeliveryLog, FoundDeliveries } from './delivery-log.ts'
import type { DeliveryLogAnswer, DeliveryLogRequest } from './delivery-log.worker.ts'

interface PostfixDeliveryLogOptions {
  /** Postfix log; rotated files are next to it. */
  path: string
  now: () => Date
}

const readers = createThreadPool<DeliveryLogRequest, DeliveryLogAnswer>(
  threadScript('./delivery-log.worker', import.meta.url),
  { what: 'searches of the delivery log', answerWithinMs: 30_000, maxMemoryMb: 256 }
)

/** Reads the log files in a thread for every search. They may not exist yet. */
export function createPostfixDeliveryLog({ path, now }: PostfixDeliveryLogOptions): DeliveryLog {
  const read = (wanted: DeliveryLogRequest['wanted']) =>
    readers.run(path, { path, wanted, now: now() }).catch((cause: unknown) => {
      if (!(cause instanceof WorkerThreadError)) throw cause
      throw new AdapterError('mail-server-unavailable', 'The delivery log could not be read', { cause })
    })
  return {
    search: async (search) => (await read(search)) as FoundDeliveries,
    count: async (since) => (await read(since)) as DeliveryCounts
  }
}
