import type { MailboxImportStatus } from '@panel/contract/mailbox-imports'

/** RUNNING → QUEUED: end of a time slice, temporary failure or dead worker. */
const moves = {
  QUEUED: ['RUNNING', 'FAILED', 'CANCELLED'],
  RUNNING: ['QUEUED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: []
} as const satisfies Record<MailboxImportStatus, readonly MailboxImportStatus[]>

/** States from which a transition to `target` is allowed, for compare-and-swap updates. */
export const sourcesOf = (target: MailboxImportStatus): MailboxImportStatus[] =>
  (Object.keys(moves) as MailboxImportStatus[]).filter((source) =>
    (moves[source] as readonly string[]).includes(target)
  )

export const hasEnded = (status: MailboxImportStatus): boolean => moves[status].length === 0
