import type { WordpressTaskStatus } from '@panel/contract/wordpress-care'
import type { TaskRow } from './tasks.repository.ts'

const undoDays = 7

interface Parts {
  files: boolean
  database: boolean
}

/** What a task that failed may have changed. Code that came with copied files may have changed the database. */
export const changedParts = ({ kind, copy }: Pick<TaskRow, 'kind' | 'copy'>): Parts => ({
  files: copy ? copy.files : kind !== 'REPLACEMENT',
  database: true
})

/** What a task replaced. An undo leaves the rest as visitors changed it since. */
export const replacedParts = ({ copy }: Pick<TaskRow, 'copy'>): Parts =>
  copy ? { files: copy.files, database: copy.database } : { files: true, database: true }

/**
 * Until when the saved state of a task is kept. Not for a new staging copy, which replaced nothing, and not for automatic updates,
 * which would keep a second copy of each site all the time.
 */
export function undoUntil(
  { kind, trigger, tablePrefix }: Pick<TaskRow, 'kind' | 'trigger' | 'tablePrefix'>,
  { status, isFull, now }: { status: WordpressTaskStatus; isFull: boolean; now: Date }
): Date | null {
  const isKept = kind === 'COPY' || (kind === 'UPDATE' && trigger === 'MANUAL')
  if (status !== 'SUCCEEDED' || !isKept || tablePrefix === null || isFull) return null
  return new Date(now.getTime() + undoDays * 24 * 3600_000)
}
