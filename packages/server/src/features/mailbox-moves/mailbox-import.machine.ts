import type { MailboxImportStatus } from '@panel/contract/mailbox-imports'

/** What runs may have to wait again: for its turn, for a source that comes back, or for a worker in place of one that is gone. */
const moves = {
  QUEUED: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: ['QUEUED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: []
} as const satisfies Record<MailboxImportStatus, readonly MailboxImportStatus[]>

/** The states from which a move to `target` is allowed: what the compare-and-swap compares. */
export const sourcesOf = (target: MailboxImportStatus): MailboxImportStatus[] =>
  (Object.keys(moves) as MailboxImportStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )

/** Nothing moves it any more: its password is not needed. */
export const hasEnded = (status: MailboxImportStatus): boolean => moves[status].length === 0
