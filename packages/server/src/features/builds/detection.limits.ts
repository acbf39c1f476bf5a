import { AppError } from '../../errors.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'

/** Lets so many look at what lies in repositories at once; the rest waits in order, for so long at most. */
export function createDetectionPlaces({ total, waitMs }: { total: number; waitMs: number }) {
  const limited = createSemaphore(total)
  const ifFull = () => {
    throw new AppError('BUSY', 'The server is looking at other repositories just now; try again in a moment', {
      retryAfterSeconds: 5
    })
  }
  return <T>(work: () => Promise<T>): Promise<T> => limited(work, { ms: waitMs, ifFull })
}

// Each starts git a few times. Per process, whose children they are. An account has three in the row at most: two of its projects, and one
// repository of which there is no project yet.
export const inDetectionPlace = createDetectionPlaces({ total: 4, waitMs: 20_000 })
