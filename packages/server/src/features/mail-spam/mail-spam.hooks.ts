import { z } from 'zod'
import type { DomainHooks } from '../feature.ts'
import { listSpamDomainsAmong } from './mail-spam.repository.ts'
import { tryApplySpam } from './spam-apply.service.ts'

const removalFacts = z.object({ filteredDomains: z.array(z.string()).default([]) })

// Applied before the request returns; the reconcile loop handles the rest.
const awaitedDomains = 20

export const domainHooks: DomainHooks = {
  async deleting(_deps, trx, domains) {
    const ids = domains.map(({ id }) => id)
    return { filteredDomains: await listSpamDomainsAmong(trx, ids) }
  },
  async applyRemoval(deps, facts) {
    if (!deps.config.MAIL || !deps.config.MAIL_SPAM_FILTER) return
    const { filteredDomains } = removalFacts.parse(facts)
    await Promise.all(filteredDomains.slice(0, awaitedDomains).map((name) => tryApplySpam(deps, name)))
  }
}
