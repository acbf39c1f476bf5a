import type { BackupStatus, RestoreStatus } from '@panel/contract/backups'

/** RUNNING → QUEUED: the worker stopped or died. */
const backupMoves = {
  QUEUED: ['RUNNING', 'FAILED'],
  RUNNING: ['QUEUED', 'GOOD', 'FAILED'],
  GOOD: [],
  FAILED: []
} as const satisfies Record<BackupStatus, readonly BackupStatus[]>

const restoreMoves = {
  QUEUED: ['RUNNING', 'FAILED'],
  RUNNING: ['QUEUED', 'COMPLETED', 'FAILED'],
  COMPLETED: ['UNDONE'],
  FAILED: [],
  UNDONE: []
} as const satisfies Record<RestoreStatus, readonly RestoreStatus[]>

const sources = <Status extends string>(moves: Record<Status, readonly Status[]>, target: Status): Status[] =>
  (Object.keys(moves) as Status[]).filter((source) => moves[source].includes(target))

/** States from which a transition to `target` is allowed, for compare-and-swap updates. */
export const backupSources = (target: BackupStatus): BackupStatus[] => sources<BackupStatus>(backupMoves, target)
export const restoreSources = (target: RestoreStatus): RestoreStatus[] => sources<RestoreStatus>(restoreMoves, target)
