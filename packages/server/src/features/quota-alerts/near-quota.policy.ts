export interface QuotaUse {
  /** As the account has it: `maxProjects`. */
  quota: string
  used: number
  /** Null where there is none. */
  limit: number | null
}

const nearFrom = 0.9
// So that what goes up and down around the line is told of once.
const awayBelow = 0.8

/** Which quotas are nearly used, and of which of them that is news; `before` are those that were. */
export function nearQuotas(
  before: readonly string[],
  uses: readonly QuotaUse[]
): { near: string[]; crossed: QuotaUse[] } {
  const isNear = ({ quota, used, limit }: QuotaUse) =>
    limit !== null && limit > 0 && used >= limit * (before.includes(quota) ? awayBelow : nearFrom)
  const near = uses.filter(isNear)
  return { near: near.map(({ quota }) => quota), crossed: near.filter(({ quota }) => !before.includes(quota)) }
}
