/** Bridges of the installation begin with this, so that the firewall knows them by name, those of the future too. */
export const bridgePrefix = (instanceId: string): string => `pn${instanceId.slice(0, 6)}`

/** The table of the host's firewall. */
export const firewallTable = (instanceId: string): string => `panel_${instanceId}`

/** The panel's own network, at whose gateway the database servers listen. Before accounts had their own, all containers were on it. */
export const panelNetworkNames = (instanceId: string): { name: string; bridge: string } => ({
  name: `panel-${instanceId}`,
  bridge: `${bridgePrefix(instanceId)}p`
})

/** A network of an account, each of whose containers is unreachable to the others. */
export const accountNetworkNames = (instanceId: string, number: number): { name: string; bridge: string } => ({
  name: `panel-${instanceId}-account-${number}`,
  bridge: `${bridgePrefix(instanceId)}a${number.toString(36)}`
})

/** The bridges of all builds begin with this. */
export const buildBridgePrefix = (instanceId: string): string => `${bridgePrefix(instanceId)}b`

/** A network of one build at a time. The kernel allows 15 characters for the name of a bridge. */
export const buildNetworkNames = (
  instanceId: string,
  workerId: number,
  number: number
): { name: string; bridge: string } => ({
  name: `panel-${instanceId}-build-${workerId}-${number}`,
  bridge: `${buildBridgePrefix(instanceId)}${(workerId % 36 ** 4).toString(36)}${number.toString(36).padStart(2, '0')}`
})
