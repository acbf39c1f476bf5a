import { feature } from '../feature.ts'
import { reconcileFirewall } from './firewall.reconcile.ts'
import { firewallRoutes } from './firewall.routes.ts'

export const firewall = feature({
  name: 'firewall',
  routes: [firewallRoutes],
  reconcile: [{ name: 'firewall', on: { tables: ['firewalls'] }, run: reconcileFirewall }]
})
