import type { NetworkState } from '../infra/container-engine/container-engine.ts'
import type { ContainerNetwork } from '../infra/reverse-proxy/reverse-proxy.ts'
import { parseSubnet } from './ipv4-subnet.ts'

/** Size of an account's network: 29 containers. Larger accounts get another network. */
export const accountNetworkPrefix = 27

/** The panel's own network on a node, and the pools of account networks, in CIDR notation. */
export interface PanelNetwork extends NetworkState {
  pools: readonly string[]
}

/** Whether it is the former shared network of all containers, whose gateway old connection strings contain. */
export const wasSharedByAccounts = ({ subnet }: Pick<NetworkState, 'subnet'>): boolean =>
  parseSubnet(subnet)?.prefix !== accountNetworkPrefix

/** The container networks in the reverse proxy's terms. */
export const routedNetwork = ({ subnet, gateway, pools }: PanelNetwork): ContainerNetwork => ({
  subnet,
  gateway,
  pools,
  networkPrefix: accountNetworkPrefix
})

/** All subnets with container addresses. */
export const containerSubnets = ({ subnet, pools }: Pick<PanelNetwork, 'subnet' | 'pools'>): string[] => [
  ...new Set([subnet, ...pools])
]
