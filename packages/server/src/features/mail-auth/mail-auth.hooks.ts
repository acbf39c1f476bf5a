import { z } from 'zod'
import type { DomainHooks } from '../feature.ts'
import { findMailAuth, listKeys, listSignedNames } from './mail-auth.repository.ts'
import { provisionMailAuth } from './provisioning.service.ts'
import { isManaged, loadRecords, publishRecords } from './records.service.ts'
import { isPublished } from './signing.policy.ts'
import { applySigning } from './signing.service.ts'

const removalFacts = z.object({ signedDomains: z.array(z.string()).default([]) })

// Applied before the request returns; the reconcile loop handles the rest.
const awaitedDomains = 20

export const domainHooks: DomainHooks = {
  firstMailbox: (deps, { id, userId }) => provisionMailAuth(deps, {}, userId, id),
  /** Without these records, mail would be lost once the zone serves the domain. Skips those over the zone limit. */
  async joinedZone(deps, trx, domain) {
    if (!isManaged(domain) || !(await findMailAuth(trx, domain.id))) return
    const keys = (await listKeys(trx, domain.id)).filter(isPublished)
    await publishRecords(deps, trx, domain, await loadRecords(deps, trx, domain, keys))
  },
  async deleting(_deps, trx, domains) {
    const ids = domains.map(({ id }) => id)
    return { signedDomains: await listSignedNames(trx, ids) }
  },
  async applyRemoval(deps, facts) {
    if (!deps.config.MAIL) return
    const { signedDomains } = removalFacts.parse(facts)
    await Promise.all(signedDomains.slice(0, awaitedDomains).map((name) => applySigning(deps, name)))
  }
}
