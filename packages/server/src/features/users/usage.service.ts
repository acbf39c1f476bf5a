import { type SharedQuota, sharedQuotas, type UsageSummary } from '@panel/contract/accounts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { isOversold, nominalSum } from './overselling.policy.ts'
import { countPooled, countUsed } from './quotas.service.ts'
import { countSubAccounts, findUser, listSubAccounts } from './users.repository.ts'

/** What is used, and of a reseller what is allocated and whether it is too much, whatever the mode. */
export async function usageSummary(deps: Pick<Dependencies, 'db' | 'features'>, userId: string): Promise<UsageSummary> {
  const { db } = deps
  const user = await findUser(db, userId)
  if (!user) throw new AppError('UNAUTHENTICATED', 'Sign in first')
  const subAccounts = user.role === 'RESELLER' ? await listSubAccounts(db, userId) : undefined
  const usageOf = async (quota: SharedQuota) => {
    const limit = user[quota]
    const used = await countUsed(deps, db, [userId], quota)
    if (!subAccounts) return { used, limit }
    const sum = nominalSum(subAccounts, quota)
    return {
      used,
      limit,
      nominalSum: sum,
      oversold: isOversold(limit, sum),
      pooledUsed: await countPooled(deps, db, userId, quota)
    }
  }
  const shared = await Promise.all(sharedQuotas.map(async (quota) => [quota, await usageOf(quota)] as const))
  return {
    oversellingEnabled: user.oversellingEnabled,
    resources: {
      ...(Object.fromEntries(shared) as Record<SharedQuota, Awaited<ReturnType<typeof usageOf>>>),
      maxSubAccounts: { used: await countSubAccounts(db, userId), limit: user.maxSubAccounts }
    }
  }
}
