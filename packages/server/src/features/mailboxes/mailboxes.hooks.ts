import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/recording.service.ts'
import type { AccountHooks, DomainHooks, Effect } from '../feature.ts'
import { keptUntil } from './keeping.policy.ts'
import { applyMailDomain, tryApplyMailDomain } from './mail-apply.service.ts'
import { lockMailDomains, markAliasTargets, markMailDomainsOf } from './mail-domains.repository.ts'
import { countByDomain, countMailboxes, countMailboxesOfDomains } from './mailboxes.repository.ts'
import { deleteMailboxesOf, deleteMailboxesOfDomains } from './deleted-mailboxes.repository.ts'

// Applied before the request returns, up to a second each; the reconcile loop handles the rest.
const awaitedDomains = 6

const applying = (deps: Dependencies, names: readonly string[]): Effect[] =>
  deps.config.MAIL ? names.slice(0, awaitedDomains).map((name) => () => tryApplyMailDomain(deps, name)) : []

export const accountHooks: AccountHooks = {
  holdings: async (trx, userId) => ((await countMailboxes(trx, [userId])).has(userId) ? { inWords: 'mailboxes' } : {}),
  suspended: async (deps, trx, userId) => applying(deps, await markMailDomainsOf(trx, userId)),
  resumed: async (deps, trx, userId) => applying(deps, await markMailDomainsOf(trx, userId)),
  // No restore period: the account is gone. Its domains are deleted, and applied, after this.
  async deleted(deps, trx, userId) {
    await markMailDomainsOf(trx, userId)
    await deleteMailboxesOf(trx, userId, deps.now())
  },
  // Role addresses forward to the account's email address.
  async credentialsChanged(trx, userId) {
    await markMailDomainsOf(trx, userId)
  }
}

const removalFacts = z.object({ mailDomains: z.array(z.string()).default([]) })

export const domainHooks: DomainHooks = {
  async leavingZone(_deps, trx, domainIds) {
    if ((await countMailboxesOfDomains(trx, domainIds)) === 0) return
    throw new AppError(
      'DNS_MODE_MAIL_ACTIVE',
      'Mailboxes on this domain, or on a domain in its zone, need its DNS records. Delete them first.'
    )
  },
  /** Deletes the mailboxes of the domain; their mail is kept like that of any deleted mailbox (ADR 27). */
  async deleting(deps, trx, domains) {
    const ids = domains.map(({ id }) => id)
    const mailDomains = await lockMailDomains(trx, ids)
    await markAliasTargets(trx, ids)
    const now = deps.now()
    const purgeAt = keptUntil(deps.config, now)
    const counts = await countByDomain(trx, ids)
    for (const domain of domains) {
      const mailboxes = counts.get(domain.id)
      if (mailboxes === undefined) continue
      const metadata = { domain: domain.hostname, mailboxes, keptUntil: purgeAt.toISOString() }
      await recordAudit(
        deps,
        trx,
        {},
        { action: 'mailbox.deleted', actorId: domain.userId, targetId: domain.id, metadata }
      )
    }
    await deleteMailboxesOfDomains(trx, ids, now, purgeAt)
    return { mailDomains }
  },
  async applyRemoval(deps, facts) {
    if (!deps.config.MAIL) return
    const { mailDomains } = removalFacts.parse(facts)
    await Promise.all(mailDomains.slice(0, awaitedDomains).map((name) => applyMailDomain(deps, name)))
  }
}
