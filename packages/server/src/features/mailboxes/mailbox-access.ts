import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { findMailbox, type MailboxRow } from './mailboxes.repository.ts'
import { findDeletedMailbox } from './deleted-mailboxes.repository.ts'

// What other features may ask of the rows.
export type { MailboxRow } from './mailboxes.repository.ts'
export { countByDomain, listOwnMailboxes } from './mailboxes.repository.ts'
export { endedSessions } from './ended-sessions.ts'
export { countForwarded } from './mail-ways.repository.ts'
export { maySendAs } from './sender-rights.service.ts'

/** The caller's own mailbox; somebody else's is not there, nor is a deleted one. */
export async function getOwnMailbox(db: Queryable, id: string, userId: string): Promise<MailboxRow> {
  return requireMailbox(await findMailbox(db, id, userId))
}

/** One of the caller's that can be restored. */
export async function getDeletedMailbox(db: Queryable, id: string, userId: string, now: Date): Promise<MailboxRow> {
  return requireMailbox(await findDeletedMailbox(db, id, userId, now))
}

export function requireMailbox(row: MailboxRow | undefined): MailboxRow {
  if (!row) throw new AppError('NOT_FOUND', 'Mailbox not found')
  return row
}
