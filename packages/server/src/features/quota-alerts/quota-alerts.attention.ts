import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { nearQuotas } from './near-quota.policy.ts'
import { listQuotaUses } from './quota-use.service.ts'

export const quotasNearlyUsed: AttentionSource = {
  async list(deps, user) {
    const { crossed } = nearQuotas([], await listQuotaUses(deps, deps.db, user))
    return foundIn(crossed, ({ quota, used, limit }) =>
      attentionItem('QUOTA_NEARLY_USED', 'quota', quota, quota, { detail: `${used}/${limit}` })
    )
  }
}
