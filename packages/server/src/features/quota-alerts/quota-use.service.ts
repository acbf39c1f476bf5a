import { sharedQuotas } from '@panel/contract/accounts'
import type { Queryable } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findUsage } from '../disk-usage/disk-usage-access.ts'
import { countSubAccounts, type UserRow } from '../users/account-access.ts'
import { countUsed } from '../users/quotas.service.ts'
import type { QuotaUse } from './near-quota.policy.ts'

export async function listQuotaUses(
  deps: Pick<Dependencies, 'features'>,
  db: Queryable,
  user: UserRow
): Promise<QuotaUse[]> {
  const shared = await Promise.all(
    sharedQuotas.map(async (quota) => ({
      quota,
      limit: user[quota],
      used: user[quota] === null ? 0 : await countUsed(deps, db, [user.id], quota)
    }))
  )
  const disk = await findUsage(db, user.id)
  return [
    ...shared,
    { quota: 'maxSubAccounts', limit: user.maxSubAccounts, used: await countSubAccounts(db, user.id) },
    { quota: 'maxDiskMb', limit: user.maxDiskMb, used: Math.floor((disk?.used ?? 0) / 2 ** 20) }
  ]
}
