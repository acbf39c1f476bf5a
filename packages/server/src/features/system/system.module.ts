import { diskBudget } from '../../disk-budget.ts'
import { feature } from '../feature.ts'
import { dnsInfoRoutes } from './dns-info.routes.ts'
import { systemRoutes } from './system.routes.ts'

export const system = feature({
  name: 'system',
  routes: [systemRoutes, dnsInfoRoutes],
  health: [
    {
      name: 'disk',
      ping: (deps) => diskBudget(deps, Infinity, 'rows'),
      remedy:
        'The disk is full: nothing is written for accounts until there is room. Remove files, images or databases, or add disk'
    }
  ]
})
