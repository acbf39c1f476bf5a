import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { listTree, type UserRow } from '../users/account-access.ts'
import { sumSizes } from './project-sizes.repository.ts'
import type { ProjectRow } from './projects.repository.ts'
import { sizeToCount } from './size.policy.ts'

const quotas = [
  { quota: 'maxMemoryMb', part: 'memoryMb', noun: 'MB of memory' },
  { quota: 'maxCpus', part: 'cpus', noun: 'CPU cores' }
] as const

/**
 * Rejects with QUOTA_EXCEEDED if a project that was just written needs more than before and its account, or a reseller
 * above it, has no room for that. `line` is locked: the resellers above the account, and the account last.
 */
export async function requireRoomForSize(
  { config }: Pick<Dependencies, 'config'>,
  trx: Transaction,
  line: readonly UserRow[],
  { before, after }: { before: ProjectRow | undefined; after: ProjectRow }
): Promise<void> {
  const unit = sizeToCount(config, { size: null, instances: 1 })
  const wanted = sizeToCount(config, after)
  const had = before ? sizeToCount(config, before) : { memoryMb: 0, cpus: 0 }
  const grown = quotas.filter(({ part }) => wanted[part] > had[part])
  for (const account of line) {
    const limited = grown.filter(({ quota }) => account[quota] !== null)
    if (limited.length === 0) continue
    const used = await sumSizes(trx, await listTree(trx, account.id), unit)
    for (const { quota, part, noun } of limited) {
      const limit = account[quota]!
      if (used[part] <= limit) continue
      const isOwn = account.id === after.userId
      throw new AppError(
        'QUOTA_EXCEEDED',
        `${isOwn ? 'Your account has' : 'The accounts of your reseller together have'} a limit of ${limit} ${noun} for all projects. ` +
          `With this, they would have ${Math.round(used[part] * 100) / 100}. Choose a smaller size or fewer instances, or ask for a higher limit.`
      )
    }
  }
}
