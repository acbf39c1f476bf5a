import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { limitBytesOf } from './disk-usage.policy.ts'
import { addToUsage, findUsage } from './disk-usage.repository.ts'

export { findUsage } from './disk-usage.repository.ts'

type Deps = Pick<Dependencies, 'db'>

/** Bytes that the account may still take of the disk, as far as it has been measured. Rejects with QUOTA_EXCEEDED where that is none. */
export async function requireAccountSpace({ db }: Deps, userId: string): Promise<number> {
  const found = await findUsage(db, userId)
  const limit = limitBytesOf(found?.maxDiskMb ?? null)
  if (found === undefined || limit === null) return Infinity
  if (found.used < limit) return limit - found.used
  throw new AppError(
    'QUOTA_EXCEEDED',
    `Your account may have ${found.maxDiskMb} MB on the disk, and has them: GET /api/users/me/disk says where. Remove something, or ask for more`
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
