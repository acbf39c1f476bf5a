import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { purgeableBefore } from './keeping.policy.ts'
import { deletePurged, listPurgeable } from './deleted-mailboxes.repository.ts'

const batch = 100

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
        deps.logger.warn({ mailbox: id, error: messageOf(error) }, 'archived mail not deleted')
      }
    isMore = due.length === batch && failed.length < batch
  }
}
