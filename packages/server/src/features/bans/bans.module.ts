import { feature } from '../feature.ts'
import { reconcileBans } from './banning.service.ts'
import { bansRoutes } from './bans.routes.ts'
import { requireAllowedNetwork, requireBan } from './bans.service.ts'
import { watchFailedSignIns } from './failed-sign-ins.watch.ts'

export const bans = feature({
  name: 'bans',
  routes: [bansRoutes],
  owners: {
    '/api/firewall/bans/:id': (deps, _userId, { id }) => requireBan(deps, id!),
    '/api/firewall/allow-list/:id': (deps, _userId, { id }) => requireAllowedNetwork(deps, id!)
  },
  reconcile: [
    { name: 'bans', on: {}, run: reconcileBans },
    {
      name: 'bans.watch',
      on: {},
      run: async (_deps, { resource, signal }) => resource(watchFailedSignIns).begin(signal)
    }
  ]
})
