import { feature } from '../feature.ts'
import { auditRoutes } from './audit.routes.ts'
import { chainPending } from './chaining.service.ts'

export const audit = feature({
  name: 'audit',
  routes: [auditRoutes],
  reconcile: [{ name: 'audit', on: { tables: ['audit_pending'] }, run: (deps) => chainPending(deps) }]
})
