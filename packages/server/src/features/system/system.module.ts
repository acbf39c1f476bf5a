import { requireFreeDisk } from '../../process/free-disk-space.ts'
import { feature } from '../feature.ts'
import { unavailableParts } from './system.attention.ts'
import { dnsInfoRoutes } from './dns-info.routes.ts'
import { jobMetrics } from './jobs.metrics.ts'
import { systemRoutes } from './system.routes.ts'
import { workerUsage } from './worker-usage.service.ts'

export const system = feature({
  name: 'system',
  attention: [unavailableParts],
  routes: [systemRoutes, dnsInfoRoutes],
  metrics: [
    jobMetrics,
    {
      name: 'panel_worker_process',
      help: 'Worker process: memory, CPU time since its start, and start time',
      label: 'measure',
      read: workerUsage
    }
  ],
  health: [
    {
      name: 'disk',
      ping: (deps) => requireFreeDisk(deps, Infinity, 'rows'),
      remedy: { code: 'MAKE_ROOM_ON_DISK' }
    }
  ]
})
