import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { mebibyte } from './disk-usage.policy.ts'
import { addToUsage, listDiskLimits } from './disk-usage.repository.ts'

export { findUsage } from './disk-usage.repository.ts'

type Deps = Pick<Dependencies, 'db'>

/**
 * Bytes that the account may still take of the disk, as last measured: within its own limit, and within those of the accounts above it, which
 * cover everything below them. Rejects with QUOTA_EXCEEDED when there are none.
 */
export async function requireAccountSpace({ db }: Deps, userId: string): Promise<number> {
  const limits = await listDiskLimits(db, userId)
  const full = limits.find(({ maxDiskMb, used }) => used >= maxDiskMb * mebibyte)
  if (full === undefined) return Math.min(...limits.map(({ maxDiskMb, used }) => maxDiskMb * mebibyte - used))
  throw new AppError(
    'QUOTA_EXCEEDED',
    full.id === userId
      ? `Your account, with those below it, may use ${full.maxDiskMb} MB of disk space, and does. Remove something, or ask for more. ` +
          'GET /api/users/me/disk shows what your own account uses.'
      : 'The disk space of the account above yours is used up by its accounts together; ask for more.'
  )
}

/** Counts written files at once, not only at the next measurement. */
export const noteFilesWritten = ({ db }: Deps, userId: string, bytes: number): Promise<void> =>
  addToUsage(db, userId, 'FILES', bytes)

/** What the HTTP layer asks of an account's disk quota. */
export const accountDiskSpace = (deps: Deps) => ({
  budget: (userId: string) => requireAccountSpace(deps, userId),
  note: (userId: string, bytes: number) => noteFilesWritten(deps, userId, bytes)
})
