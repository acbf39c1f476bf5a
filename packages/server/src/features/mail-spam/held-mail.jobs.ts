import type { Dependencies } from '../../dependencies.ts'
import { heldWork } from './held-mail.policy.ts'

const maxNotes = 5_000
const notifyAgainAfterMs = 24 * 3_600_000
const maxKnown = 10_000

/** Last notification per mailbox. Per process: after a restart an owner may be notified again. */
const notifiedAt = new Map<string, number>()

/** Notifies owners of held mail, once a day per mailbox, and deletes notes on messages that left the queue. */
export async function watchHeldMail(deps: Dependencies): Promise<void> {
  const notes = await deps.mailFilter.listHeld(maxNotes)
  if (notes.length === 0) return
  const now = deps.now()
  const { toTell, toForget } = heldWork(notes, await deps.mailQueue.listHeld(), now)
  const messages = await deps.mailFilter.readHeld(toTell)
  const logins = new Set([...messages.values()].map(({ login }) => login.toLowerCase()))
  for (const address of logins) await notifyOwner(deps, address, now.getTime())
  // Only after the jobs are committed: a crash in between repeats a notification but never loses one.
  for (const id of toTell) await deps.mailFilter.markNotified(id)
  for (const id of toForget) await deps.mailFilter.forgetHeld(id)
}

async function notifyOwner(deps: Dependencies, address: string, now: number): Promise<void> {
  if (now - (notifiedAt.get(address) ?? -Infinity) < notifyAgainAfterMs) return
  deps.logger.warn({ mailbox: address }, 'mail is held as spam')
  await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'mail-limits.alert', { address, isHeld: true }))
  if (notifiedAt.size >= maxKnown) notifiedAt.clear()
  notifiedAt.set(address, now)
}
