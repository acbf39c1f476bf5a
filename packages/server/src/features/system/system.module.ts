import { feature } from '../feature.ts'
import { dnsInfoRoutes } from './dns-info.routes.ts'
import { systemRoutes } from './system.routes.ts'

export const system = feature({ name: 'system', routes: [systemRoutes, dnsInfoRoutes] })
