import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { mebibyte } from './disk-usage.policy.ts'
import { addToUsage, listDiskLimits } from './disk-usage.repository.ts'

export { evaluateUsage } from './disk-usage.policy.ts'
export { findUsage } from './disk-usage.repository.ts'

type Deps = Pick<Dependencies, 'db'>

/** What the limits of the account and of those above it leave. Rejects with QUOTA_EXCEEDED if nothing. */
export async function requireAccountSpace({ db }: Deps, userId: string): Promise<number> {
  const limits = await listDiskLimits(db, userId)
  const full = limits.find(({ maxDiskMb, used }) => used >= maxDiskMb * mebibyte)
  if (full === undefined) return Math.min(...limits.map(({ maxDiskMb, used }) => maxDiskMb * mebibyte - used))
  throw new AppError(
    'QUOTA_EXCEEDED',
    full.id === userId
      ? `Your account and its sub-accounts have reached their limit of ${full.maxDiskMb} MB. Delete data, or ask for a higher limit. ` +
          'The usage page of your account shows what takes the space.'
      : 'Your parent account has reached its disk limit. Ask its owner for a higher limit.'
  )
}

export const isAccountFull = async ({ db }: Deps, userId: string): Promise<boolean> =>
  (await listDiskLimits(db, userId)).some(({ maxDiskMb, used }) => used >= maxDiskMb * mebibyte)

export const noteFilesWritten = ({ db }: Deps, userId: string, bytes: number): Promise<void> =>
  addToUsage(db, userId, 'FILES', bytes)

export const accountDiskSpace = (deps: Deps) => ({
  budget: (userId: string) => requireAccountSpace(deps, userId),
  note: (userId: string, bytes: number) => noteFilesWritten(deps, userId, bytes)
})
