import { AppError } from '../../errors.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

/** Limits concurrent detections; the rest queues in order for at most `waitMs`. */
export function createDetectionLimit({ total, waitMs }: { total: number; waitMs: number }) {
  const limited = createSemaphore(total)
  const ifFull = () => {
    throw new AppError('BUSY', 'The server is busy inspecting other repositories. Try again in a moment.', {
      retryAfterSeconds: 5
    })
  }
  return <T>(work: () => Promise<T>): Promise<T> => limited(work, { ms: waitMs, ifFull })
}

// Each starts several git processes, so the limit is per process.
export const withDetectionSlot = createDetectionLimit({ total: 4, waitMs: 20_000 })
