import type { NetworkState } from '../infra/container-engine/container-engine.ts'
import type { ContainerNetwork } from '../infra/reverse-proxy/reverse-proxy.ts'
import { parseSubnet } from './ipv4-subnet.ts'

export const accountNetworkPrefix = 27

export interface PanelNetwork extends NetworkState {
  pools: readonly string[]
}

/** Whether it is the former shared network of all containers, whose gateway old connection strings contain. */
export const wasSharedByAccounts = ({ subnet }: Pick<NetworkState, 'subnet'>): boolean =>
  parseSubnet(subnet)?.prefix !== accountNetworkPrefix

export const routedNetwork = ({ subnet, gateway, pools }: PanelNetwork): ContainerNetwork => ({
  subnet,
  gateway,
  pools,
  networkPrefix: accountNetworkPrefix
})

export const containerSubnets = ({ subnet, pools }: Pick<PanelNetwork, 'subnet' | 'pools'>): string[] => [
  ...new Set([subnet, ...pools])
]
