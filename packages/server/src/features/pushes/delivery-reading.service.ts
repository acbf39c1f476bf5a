import { AppError } from '../../errors.ts'
import { threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { deliveryReason } from './delivery-reason.policy.ts'
import { type Headers, readDelivery, type ReadDelivery } from './push-event.policy.ts'

export interface PushDelivery {
  secret: string | null
  headers: Headers
  rawBody: Uint8Array
}

/** A push of a few commits is far smaller. */
const largeBytes = 256 * 1024

const largeDeliveries = createThreadPool<PushDelivery, ReadDelivery>(
  threadScript('./push-delivery.worker', import.meta.url),
  // 25 MB, the most that a provider sends, takes about 150 MB when parsed.
  { what: 'large deliveries', answerWithinMs: 15_000, maxMemoryMb: 384 }
)

/** Large bodies are transferred to a worker thread. */
export async function readPushDelivery(key: string, delivery: PushDelivery): Promise<ReadDelivery> {
  const { secret, headers, rawBody } = delivery
  if (rawBody.length < largeBytes) return readDelivery(secret, headers, rawBody)
  const body = rawBody.buffer.byteLength === rawBody.length ? rawBody : new Uint8Array(rawBody)
  const request = { secret, headers: { ...headers }, rawBody: body }
  return largeDeliveries.run(key, request, [body.buffer as ArrayBuffer]).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', deliveryReason('BODY_TOO_COMPLEX'), { cause })
      : cause
  })
}
