import type { AccountRestoreStatus } from '@panel/contract/account-restores'

const moves = {
  PLANNING: ['PLANNED', 'FAILED'],
  PLANNED: ['STARTING'],
  STARTING: ['RUNNING', 'FAILED'],
  RUNNING: ['COMPLETED', 'FAILED'],
  COMPLETED: ['UNDONE'],
  FAILED: ['UNDONE'],
  UNDONE: []
} as const satisfies Record<AccountRestoreStatus, readonly AccountRestoreStatus[]>

/** States from which a transition to `target` is allowed, for compare-and-swap updates. */
export const accountRestoreSources = (target: AccountRestoreStatus): AccountRestoreStatus[] =>
  (Object.keys(moves) as AccountRestoreStatus[]).filter((source) =>
    (moves[source] as readonly AccountRestoreStatus[]).includes(target)
  )

export const isEnded = (status: AccountRestoreStatus): boolean => ['COMPLETED', 'FAILED', 'UNDONE'].includes(status)
