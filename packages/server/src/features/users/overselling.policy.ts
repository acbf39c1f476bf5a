import { type SharedQuota, sharedQuotas } from '@panel/contract/accounts'

/** null: unlimited. */
export type Limits = Readonly<Record<SharedQuota, number | null>>

export function nominalSum(accounts: readonly Limits[], quota: SharedQuota): number | null {
  return accounts.reduce<number | null>((sum, account) => {
    const limit = account[quota]
    return sum === null || limit === null ? null : sum + limit
  }, 0)
}

/**
 * Quotas that the reseller would oversell. `siblings` are its other sub-accounts, `target` the account with its new
 * limits.
 */
export function oversoldQuotas(reseller: Limits, siblings: readonly Limits[], target: Limits): SharedQuota[] {
  return sharedQuotas.filter((quota) => isOversold(reseller[quota], nominalSum([...siblings, target], quota)))
}

export function isOversold(limit: number | null, sum: number | null): boolean {
  return limit !== null && (sum === null || sum > limit)
}

interface CreationFacts {
  limit: number | null
  used: number
  /** The reseller whose pool the account draws from, possibly the account itself. */
  pool?: { limit: number | null; used: number; oversellingEnabled: boolean }
}

/** Checks the account's own quota, and real usage of the pool if the reseller oversells. */
export function isQuotaReached({ limit, used, pool }: CreationFacts): boolean {
  if (limit !== null && used >= limit) return true
  return pool !== undefined && pool.oversellingEnabled && pool.limit !== null && pool.used >= pool.limit
}
