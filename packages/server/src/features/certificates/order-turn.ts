import { z } from 'zod'
import { findNextPending } from './certificates.repository.ts'
import { type IssuanceDeps, issueCertificate } from './issuance.ts'
import { withIssuanceLock } from './issuance-lock.ts'
import { type OrderQueue, queueNext, queueOf } from './orders.service.ts'

export const turnJob = z.object({ userId: z.string() })

/**
 * The job behind the PENDING certificates of an account: one of them, and the account has its next turn when the others had theirs. While
 * another worker is at one, nothing is done: that one sees to the next. `stopped` ends it early, to be repeated.
 */
export async function takeTurn(
  deps: IssuanceDeps,
  {
    databaseUrl,
    queue,
    userId,
    stopped
  }: { databaseUrl: string; queue: OrderQueue; userId: string; stopped: AbortSignal }
): Promise<void> {
  const isMine = await withIssuanceLock(databaseUrl, userId, async (lost) => {
    const next = await findNextPending(deps.db, userId)
    // One of the other queue takes its turn there.
    if (next && queueOf(next, deps.now()) === queue)
      await issueCertificate(deps, next.domainId, AbortSignal.any([stopped, lost]))
  })
  if (isMine) await deps.db.transaction((trx) => queueNext(deps, trx, userId))
}
