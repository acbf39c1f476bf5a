import { feature } from '../feature.ts'
import { domainHooks } from './dns-zones.hooks.ts'
import { dnssecRoutes } from './dnssec.routes.ts'
import { getOwnApexZone } from './dnssec.service.ts'
import { purgeDeletedZones } from './zones.repository.ts'
import { changeAllZones, publishEdges } from './edge-zones.jobs.ts'
import { reconcileZones } from './zones.service.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'zones.forget': object
    'zones.edges': object
  }
}

// One day longer than the SOA expiry of our zones.
const keepDeletedZonesMs = 15 * 24 * 3600 * 1000

export const dnsZones = feature({
  name: 'dns-zones',
  routes: [dnssecRoutes],
  owners: { '/api/domains/:id/dnssec': ({ db }, userId, { id }) => getOwnApexZone({ db }, userId, id!) },
  domain: domainHooks,
  jobs: {
    'zones.edges': { concurrency: 1, timeoutSeconds: 600, retries: 5, run: changeAllZones },
    'zones.forget': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      run: (deps) => purgeDeletedZones(deps.db, new Date(deps.now().getTime() - keepDeletedZonesMs))
    }
  },
  schedules: [{ queue: 'zones.forget', everySeconds: 3600 }],
  reconcile: [
    { name: 'zones', on: { tables: ['dns_zones'] }, run: reconcileZones },
    { name: 'edges in zones', on: { tables: ['nodes'] }, run: publishEdges }
  ]
})
