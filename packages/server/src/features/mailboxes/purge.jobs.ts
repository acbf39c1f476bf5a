import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { purgeableBefore } from './keeping.policy.ts'
import { deletePurged, listPurgeable } from './deleted-mailboxes.repository.ts'

const batch = 100

/** Removes the mail of deleted mailboxes whose time is over, and then their rows. One that cannot be removed keeps no other one back. */
export async function purgeKeptMail(deps: Dependencies): Promise<void> {
  if (!deps.config.MAIL) return
  const before = purgeableBefore(deps.now())
  const failed: string[] = []
  for (let isMore = true; isMore;) {
    const due = await listPurgeable(deps.db, before, batch, failed)
    for (const { id } of due)
      try {
        await deps.mailServer.purge(id)
        await deletePurged(deps.db, id, before)
      } catch (error) {
        failed.push(id)
        deps.logger.warn({ mailbox: id, error: messageOf(error) }, 'kept mail not removed')
      }
    isMore = due.length === batch && failed.length < batch
  }
}
