import { z } from 'zod'
import { withLock } from '../../db/lock.ts'
import { findNextPending } from './certificates.repository.ts'
import { type IssuanceDeps, issueCertificate } from './issuance.service.ts'
import { type OrderQueue, queueNext, queueOf } from './orders.service.ts'

export const issueJob = z.object({ userId: z.string() })

/** One order, then the account queues again behind others. If another worker is on it, that one queues the next. */
export async function issueNext(
  deps: IssuanceDeps,
  { queue, userId, stopped }: { queue: OrderQueue; userId: string; stopped: AbortSignal }
): Promise<void> {
  const lock = { waitMs: 0, ifHeld: () => false }
  const isMine = await withLock(deps.db, `certificate-orders:${userId}`, lock, async (lost) => {
    const next = await findNextPending(deps.db, userId)
    // The other queue issues it otherwise.
    if (next && queueOf(next, deps.now()) === queue)
      await issueCertificate(deps, next.domainId, AbortSignal.any([stopped, lost]))
    return true
  })
  if (isMine) await deps.db.transaction((trx) => queueNext(deps, trx, userId))
}
