import { type SharedQuota, sharedQuotas } from '@panel/contract/accounts'

/** A limit; null means unlimited. */
export type Limits = Readonly<Record<SharedQuota, number | null>>

/** What the limits of these accounts add up to: null when one is unlimited. */
export function nominalSum(accounts: readonly Limits[], quota: SharedQuota): number | null {
  return accounts.reduce<number | null>((sum, account) => {
    const limit = account[quota]
    return sum === null || limit === null ? null : sum + limit
  }, 0)
}

/**
 * With overselling off: the quotas of which a reseller would allocate more than it has. `siblings` are its other
 * sub-accounts, `target` the account as it would be written.
 */
export function oversoldQuotas(reseller: Limits, siblings: readonly Limits[], target: Limits): SharedQuota[] {
  return sharedQuotas.filter((quota) => isOversold(reseller[quota], nominalSum([...siblings, target], quota)))
}

/** More is allocated than there is. Everything unlimited is more than anything finite. */
export function isOversold(limit: number | null, sum: number | null): boolean {
  return limit !== null && (sum === null || sum > limit)
}

/** What decides whether one more resource may be made. Counts are of real resources. */
interface CreationFacts {
  /** The account itself. */
  limit: number | null
  used: number
  /** The reseller that the account, or the account itself if it is one, draws from. */
  pool?: { limit: number | null; used: number; oversellingEnabled: boolean }
}

/** The account's own quota always counts; the pooled real usage where the reseller oversells. */
export function isQuotaReached({ limit, used, pool }: CreationFacts): boolean {
  if (limit !== null && used >= limit) return true
  return pool !== undefined && pool.oversellingEnabled && pool.limit !== null && pool.used >= pool.limit
}
