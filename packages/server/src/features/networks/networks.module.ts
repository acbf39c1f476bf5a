import { feature } from '../feature.ts'
import { reconcileHostsFiles } from './hosts-files.service.ts'
import { reconcileNetworks } from './networks.reconcile.ts'

export const networks = feature({
  name: 'networks',
  // Runs before the container steps, which need the networks.
  reconcile: [
    {
      name: 'networks',
      on: { tables: ['users', 'account_networks', 'container_slots'] },
      isFirst: true,
      run: reconcileNetworks
    },
    {
      name: 'hosts files',
      on: { tables: ['account_networks', 'host_names', 'domains', 'domain_rules'] },
      run: reconcileHostsFiles
    }
  ]
})
