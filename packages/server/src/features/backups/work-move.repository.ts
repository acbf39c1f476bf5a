import { type AnyColumn, eq, isNull, type SQL } from 'drizzle-orm'
import type { BackupStatus, RestoreStatus } from '@panel/contract/backups'

/** The row belongs to this worker, or to none. */
export const heldBy = (column: AnyColumn, workerId: number | null): SQL =>
  workerId === null ? isNull(column) : eq(column, workerId)

/** What every move of a backup or restore sets: only RUNNING has a worker, and only what is over has an end. */
export const moved = <Status extends BackupStatus | RestoreStatus>(status: Status, now: Date) => ({
  status,
  updatedAt: now,
  ...(status === 'RUNNING' ? {} : { workerId: null }),
  ...(status === 'RUNNING' || status === 'QUEUED' ? {} : { endedAt: now })
})
