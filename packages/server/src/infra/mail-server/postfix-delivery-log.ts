import { createThreadPool } from '../../thread-pool.ts'
import { AdapterError } from '../adapter-error.ts'
import { threadScript, WorkerThreadError } from '../worker-thread/worker-thread.ts'
import type { DeliveryLog, FoundDeliveries } from './delivery-log.ts'
import type { DeliveryLogRequest } from './delivery-log.worker.ts'

interface PostfixDeliveryLogOptions {
  /** The log of Postfix; what was put aside of it lies beside it. */
  path: string
  now: () => Date
}

const readers = createThreadPool<DeliveryLogRequest, FoundDeliveries>(
  threadScript('./delivery-log.worker', import.meta.url),
  { what: 'searches of the delivery log', answerWithinMs: 30_000, maxMemoryMb: 256 }
)

/** Reads the files anew for each search, in a thread. There may be none yet. */
export const createPostfixDeliveryLog = ({ path, now }: PostfixDeliveryLogOptions): DeliveryLog => ({
  search: (search) =>
    readers.run(path, { path, search, now: now() }).catch((cause: unknown) => {
      if (!(cause instanceof WorkerThreadError)) throw cause
      throw new AdapterError('mail-server-unavailable', 'The log of deliveries could not be read', { cause })
    })
})
