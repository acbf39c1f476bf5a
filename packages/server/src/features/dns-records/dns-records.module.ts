import { feature } from '../feature.ts'
import { dnsModeRoutes } from './dns-mode.routes.ts'
import { insertRecords } from './dns-records.repository.ts'
import { dnsRecordRoutes } from './dns-records.routes.ts'
import { getManagedDomain, getOwnRecord } from './record-access.ts'
import { addToParentZone } from './zone-above.service.ts'

export const dnsRecords = feature({
  name: 'dns-records',
  routes: [dnsModeRoutes, dnsRecordRoutes],
  owners: {
    '/api/domains/:id/dns': ({ db }, userId, { id }) => getManagedDomain(db, id!, userId),
    '/api/domains/:id/dns/:recordId': ({ db }, userId, { id, recordId }) => getOwnRecord(db, id!, recordId!, userId)
  },
  domain: {
    async claimed(deps, trx, domain, challenge) {
      await insertRecords(trx, domain.id, [challenge], deps.now())
    },
    verified: addToParentZone
  }
})
