import { z } from 'zod'
import type { DomainHooks } from '../feature.ts'
import { preserveSerials, markZoneChanged } from './zones.repository.ts'
import { applyZone, applyZoneList, tryApplyZones } from './zones.service.ts'

const removalFacts = z.object({ zoneIds: z.array(z.string()).default([]) })

export const domainHooks: DomainHooks = {
  async deleting(deps, trx, domains) {
    await preserveSerials(
      trx,
      domains.map(({ id }) => id)
    )
    const zoneIds = [...new Set(domains.flatMap(({ zoneId }) => zoneId ?? []))]
    for (const zoneId of zoneIds) await markZoneChanged(trx, zoneId, deps.now())
    return { zoneIds }
  },
  async applyRemoval(deps, facts) {
    const { zoneIds } = removalFacts.parse(facts)
    for (const id of zoneIds) await applyZone(deps, id)
    if (zoneIds.length > 0) await applyZoneList(deps)
  },
  apply: async (deps, { zoneId }) => (zoneId === null ? undefined : tryApplyZones(deps, [zoneId]))
}
