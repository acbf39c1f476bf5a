import { feature } from '../feature.ts'
import { domainRoutes } from './domains.routes.ts'
import { syncAllRoutes } from './routing.service.ts'

export const domains = feature({
  name: 'domains',
  routes: [domainRoutes],
  reconcile: [
    {
      name: 'routes',
      on: { tables: ['host_names', 'domains', 'certificates', 'projects', 'deployments', 'container_slots'] },
      run: syncAllRoutes
    }
  ]
})
