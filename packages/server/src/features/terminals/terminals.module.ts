import { feature } from '../feature.ts'
import { endAbandonedTerminals } from './terminals.reconcile.ts'
import { terminalRoutes } from './terminals.routes.ts'

export const terminals = feature({
  name: 'terminals',
  routes: [terminalRoutes],
  reconcile: [{ name: 'terminals', on: { tables: ['terminals'] }, run: (deps) => endAbandonedTerminals(deps) }],
  recover: (deps) => endAbandonedTerminals(deps, deps.now())
})
