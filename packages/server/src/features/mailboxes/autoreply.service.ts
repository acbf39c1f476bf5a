import type { Autoreply, SetAutoreply } from '@panel/contract/mailboxes'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { AuditOrigin } from '../audit/recording.service.ts'
import { getOwnMailbox } from './mailbox-access.ts'
import { changeRow, record } from './mailboxes.service.ts'
import type { MailboxRow } from './mailboxes.repository.ts'

export async function getAutoreply({ db }: Pick<Dependencies, 'db'>, userId: string, id: string): Promise<Autoreply> {
  return autoreplyView(await getOwnMailbox(db, id, userId))
}

export async function setAutoreply(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  { subject, text, from, until }: SetAutoreply
): Promise<Autoreply> {
  const row = await changeRow(deps, userId, id, async (trx, current) => {
    await record(deps, trx, origin, current, 'mailbox.autoreply_set', { from, until })
    return {
      autoreplySubject: subject,
      autoreplyText: text,
      autoreplyFrom: from === null ? null : new Date(from),
      autoreplyUntil: until === null ? null : new Date(until)
    }
  })
  return autoreplyView(row)
}

/** Idempotent. */
export async function removeAutoreply(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string
): Promise<void> {
  await changeRow(deps, userId, id, async (trx, current) => {
    if (current.autoreplyText !== null) await record(deps, trx, origin, current, 'mailbox.autoreply_removed')
    return { autoreplySubject: null, autoreplyText: null, autoreplyFrom: null, autoreplyUntil: null }
  })
}

function autoreplyView(row: MailboxRow): Autoreply {
  if (row.autoreplyText === null) throw new AppError('NOT_FOUND', 'This mailbox has no autoreply')
  return {
    subject: row.autoreplySubject,
    text: row.autoreplyText,
    from: row.autoreplyFrom?.toISOString() ?? null,
    until: row.autoreplyUntil?.toISOString() ?? null
  }
}
