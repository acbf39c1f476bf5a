type QuotaName = 'maxProjects' | 'maxDomains' | 'maxDatabases' | 'maxMailboxes' | 'maxSubAccounts' | 'maxDiskMb'

export interface QuotaUse {
  quota: QuotaName
  used: number
  limit: number | null
}

type NearQuota = QuotaUse & { limit: number }

const nearFrom = 0.9
const clearBelow = 0.8

/** Quotas that are nearly used up, and those to notify; `before` are those that already were. */
export function nearQuotas(
  before: readonly string[],
  uses: readonly QuotaUse[]
): { near: string[]; crossed: NearQuota[] } {
  const isNear = (use: QuotaUse): use is NearQuota => isNearlyUsed(use, before.includes(use.quota))
  const near = uses.filter(isNear)
  return { near: near.map(({ quota }) => quota), crossed: near.filter(({ quota }) => !before.includes(quota)) }
}

const isNearlyUsed = ({ used, limit }: QuotaUse, wasBefore: boolean): boolean =>
  limit !== null && limit > 0 && used >= limit * (wasBefore ? clearBelow : nearFrom)
