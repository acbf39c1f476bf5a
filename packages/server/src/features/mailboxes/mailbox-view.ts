import type { DeletedMailbox, Mailbox } from '@panel/contract/mailboxes'
import { addressOf } from './mail-address.policy.ts'
import type { MailboxRow } from './mailboxes.repository.ts'

export const mailboxView = (row: MailboxRow, usage: Mailbox['usage']): Mailbox => ({
  id: row.id,
  domainId: row.domainId,
  address: addressOf(row),
  localPart: row.localPart,
  quota: row.quotaMb,
  enabled: row.isEnabled,
  usage,
  autoreply: row.autoreplyText !== null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

export const deletedMailboxView = (row: MailboxRow): DeletedMailbox => ({
  id: row.id,
  address: addressOf(row),
  quota: row.quotaMb,
  deletedAt: row.deletedAt!.toISOString(),
  purgeAt: row.purgeAt!.toISOString()
})
