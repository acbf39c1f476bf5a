import type { NetworkState } from '../infra/container-engine/container-engine.ts'
import type { ContainerNetwork } from '../infra/reverse-proxy/reverse-proxy.ts'
import { parseSubnet } from './ipv4-subnet.ts'

/** Of an account's network: 29 containers. An account with more gets a further one. */
export const accountNetworkPrefix = 27

/** The panel's own network on a node, and the ranges that networks of accounts there come from, in CIDR notation. */
export interface PanelNetwork extends NetworkState {
  pools: readonly string[]
}

/** Whether all containers were once on it, at whose gateway connection strings of that time have the databases. */
export const wasSharedByAccounts = ({ subnet }: Pick<NetworkState, 'subnet'>): boolean =>
  parseSubnet(subnet)?.prefix !== accountNetworkPrefix

/** As the reverse proxy is told where containers are. */
export const routedNetwork = ({ subnet, gateway, pools }: PanelNetwork): ContainerNetwork => ({
  subnet,
  gateway,
  pools,
  networkPrefix: accountNetworkPrefix
})

/** Every subnet that containers have addresses of. */
export const containerSubnets = ({ subnet, pools }: Pick<PanelNetwork, 'subnet' | 'pools'>): string[] => [
  ...new Set([subnet, ...pools])
]
