import type { MailboxImport } from '@panel/contract/mailbox-imports'
import type { MailboxImportRow } from './mailbox-imports.repository.ts'

export const mailboxImportView = (row: MailboxImportRow): MailboxImport => ({
  id: row.id,
  mailboxId: row.mailboxId,
  status: row.status,
  host: row.host,
  port: row.port,
  security: row.security,
  username: row.username,
  folders: row.folders,
  progress: {
    folders: { done: row.foldersDone, total: row.foldersTotal },
    messages: { done: row.messagesDone, total: row.messagesTotal },
    bytes: { done: row.bytesDone, total: row.bytesTotal }
  },
  leftOut: row.leftOut,
  reason: row.reason,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString()
})
