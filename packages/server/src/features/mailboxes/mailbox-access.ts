import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { findMailbox, type MailboxRow } from './mailboxes.repository.ts'
import { findDeletedMailbox } from './deleted-mailboxes.repository.ts'

// The public interface for other features.
export type { MailboxRow } from './mailboxes.repository.ts'
export { countByDomain, listMailboxAddresses, listOwnMailboxes } from './mailboxes.repository.ts'
export { endedSessions } from './ended-sessions.ts'
export { countForwarded } from './mail-ways.repository.ts'
export { maySendAs } from './sender-rights.service.ts'

/** Rejects with NOT_FOUND for mailboxes of other accounts and for deleted ones. */
export async function getOwnMailbox(db: Queryable, id: string, userId: string): Promise<MailboxRow> {
  return requireMailbox(await findMailbox(db, id, userId))
}

export async function getDeletedMailbox(db: Queryable, id: string, userId: string, now: Date): Promise<MailboxRow> {
  return requireMailbox(await findDeletedMailbox(db, id, userId, now))
}

export function requireMailbox(row: MailboxRow | undefined): MailboxRow {
  if (!row) throw new AppError('NOT_FOUND', 'Mailbox not found')
  return row
}
