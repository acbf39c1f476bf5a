import { feature } from '../feature.ts'
import { auditRoutes } from './audit.routes.ts'

export const audit = feature({ name: 'audit', routes: [auditRoutes] })
