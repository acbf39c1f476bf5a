import { z } from 'zod'
import { applyRoutes } from '../domains/routing.service.ts'
import type { DomainHooks } from '../feature.ts'
import { listCertificateIds } from './certificates.repository.ts'
import { applyCertificate } from './served-certificates.service.ts'

const removalFacts = z.object({
  routes: z.array(z.object({ hostname: z.string(), pathPrefix: z.string().nullable() })).default([]),
  certificateIds: z.array(z.string()).default([])
})

export const domainHooks: DomainHooks = {
  deleting: async (_deps, trx, domains) => ({
    certificateIds: await listCertificateIds(
      trx,
      domains.map(({ id }) => id)
    )
  }),
  async applyRemoval(deps, facts) {
    const { routes, certificateIds } = removalFacts.parse(facts)
    if (certificateIds.length === 0) return
    // Remove redirects to HTTPS before the certificate.
    await applyRoutes(deps, routes)
    for (const id of certificateIds) await applyCertificate(deps, id)
  }
}
