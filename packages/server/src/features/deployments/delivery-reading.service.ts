import { AppError } from '../../errors.ts'
import { threadScript, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import { createThreadPool } from '../../concurrency/thread-pool.ts'
import { type Headers, readDelivery, type ReadDelivery } from './push-event.policy.ts'

export interface PushDelivery {
  secret: string | null
  headers: Headers
  rawBody: Uint8Array
}

/** A push of a few commits is far below. */
const largeBytes = 256 * 1024

const largeDeliveries = createThreadPool<PushDelivery, ReadDelivery>(
  threadScript('./push-delivery.worker', import.meta.url),
  // Of 25 MB, the most that a provider sends, a parsed body takes some 150.
  { what: 'large deliveries', answerWithinMs: 15_000, maxMemoryMb: 384 }
)

/** Verifies and reads a delivery; a large one in a thread, which takes its bytes over. */
export async function readPushDelivery(key: string, delivery: PushDelivery): Promise<ReadDelivery> {
  const { secret, headers, rawBody } = delivery
  if (rawBody.length < largeBytes) return readDelivery(secret, headers, rawBody)
  const body = rawBody.buffer.byteLength === rawBody.length ? rawBody : new Uint8Array(rawBody)
  const request = { secret, headers: { ...headers }, rawBody: body }
  return largeDeliveries.run(key, request, [body.buffer as ArrayBuffer]).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The body could not be read: it is too complex', { cause })
      : cause
  })
}
