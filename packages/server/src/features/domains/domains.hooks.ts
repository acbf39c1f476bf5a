import { z } from 'zod'
import type { AccountHooks, ProjectHooks } from '../feature.ts'
import { listProjectIds } from '../projects/project-access.ts'
import { applyRemoval, detachOnProjectDeletion, removeDomainsOf } from './domain-removal.service.ts'
import { countDomains } from './domains.repository.ts'
import { listHostnames, releaseHostnames, reserveHostname } from './host-names.repository.ts'
import { projectHostnames } from './hostname.policy.ts'
import { listProjectRoutes } from './routes.repository.ts'
import { deleteProjectRules } from './rules.repository.ts'
import { applyRoutes } from './routing.service.ts'

export const accountHooks: AccountHooks = {
  holdings: async (trx, userId) => ((await countDomains(trx, [userId])).has(userId) ? { inWords: 'domains' } : {}),
  // The suspended page appears at once; the reconciler stops the containers.
  async suspended(deps, trx, userId) {
    const routes = await listProjectRoutes(trx, await listProjectIds(trx, userId))
    return [() => applyRoutes(deps, routes)]
  },
  async deleted(deps, trx, userId) {
    const removal = await removeDomainsOf(deps, trx, userId)
    return [() => applyRemoval(deps, removal)]
  }
}

// Version 0.1 queued hostnames only.
const removalFacts = z.looseObject({
  hostnames: z.array(z.string()).default([]),
  routes: z.array(z.object({ hostname: z.string(), pathPrefix: z.string().nullable() })).default([])
})

export const projectHooks: ProjectHooks = {
  async created(deps, trx, project) {
    const { BASE_DOMAIN, PANEL_DOMAIN } = deps.config
    const hostname = await reserveHostname(trx, project.id, projectHostnames(project, BASE_DOMAIN, PANEL_DOMAIN))
    return hostname === undefined ? [] : [() => applyRoutes(deps, [{ hostname, pathPrefix: null }])]
  },
  async deleted(deps, trx, { id }) {
    const routes = await listProjectRoutes(trx, [id])
    await releaseHostnames(trx, await listHostnames(trx, id))
    await deleteProjectRules(trx, id)
    const removal = await detachOnProjectDeletion(deps, trx, id)
    const domains = [...new Set(removal.routes.map(({ hostname }) => hostname))].sort()
    return { routes: [...routes, ...removal.routes], audit: domains.length > 0 ? { domains } : {} }
  },
  purge: (deps, _projectId, facts) => {
    const { hostnames, routes, ...removal } = removalFacts.parse(facts)
    const wholes = hostnames.map((hostname) => ({ hostname, pathPrefix: null }))
    return applyRemoval(deps, { ...removal, routes: [...routes, ...wholes] })
  }
}
