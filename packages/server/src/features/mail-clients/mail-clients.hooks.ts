import { z } from 'zod'
import { settingsPath } from '../domains/project-route-access.ts'
import { applyRoutes } from '../domains/routing.service.ts'
import type { DomainHooks } from '../feature.ts'
import { listMailDomainNames } from './mail-clients.repository.ts'

const removalFacts = z.object({ mailSettingsOf: z.array(z.string()).default([]) })

/** The hosts are domains and are deleted as such; the discovery path at the domain itself has no row. */
export const domainHooks: DomainHooks = {
  deleting: async (_deps, trx, domains) => ({
    mailSettingsOf: await listMailDomainNames(
      trx,
      domains.map(({ id }) => id)
    )
  }),
  async applyRemoval(deps, facts) {
    const { mailSettingsOf } = removalFacts.parse(facts)
    await applyRoutes(
      deps,
      mailSettingsOf.map((hostname) => ({ hostname, pathPrefix: settingsPath }))
    )
  }
}
