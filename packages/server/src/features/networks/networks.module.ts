import { feature } from '../feature.ts'
import { reconcileNetworks } from './networks.reconcile.ts'

export const networks = feature({
  name: 'networks',
  // Before the containers, which need theirs.
  reconcile: [
    {
      name: 'networks',
      on: { tables: ['users', 'account_networks', 'container_slots'] },
      isFirst: true,
      run: reconcileNetworks
    }
  ]
})
