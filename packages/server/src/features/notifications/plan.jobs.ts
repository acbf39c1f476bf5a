import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { takeForPlanning } from './notifications.repository.ts'

export const planJob = z.object({ notificationId: z.string() })

/** The job behind each notification: decides to which channels it goes, and when. */
export async function planNotification(
  deps: Pick<Dependencies, 'db' | 'now'>,
  { notificationId }: z.infer<typeof planJob>
): Promise<void> {
  await deps.db.transaction((trx) => takeForPlanning(trx, notificationId, deps.now()))
}
