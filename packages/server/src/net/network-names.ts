/** Name prefix of all bridges of this installation, so that firewall rules also match future ones. */
export const bridgePrefix = (instanceId: string): string => `pn${instanceId.slice(0, 6)}`

export const firewallTable = (instanceId: string): string => `panel_${instanceId}`

/** The administrator's rules; the other table fences containers. */
export const serverFirewallTable = (instanceId: string): string => `${firewallTable(instanceId)}_server`

/** Addresses that are banned after failed sign-ins. */
export const banTable = (instanceId: string): string => `${firewallTable(instanceId)}_bans`

/** The database servers listen at its gateway. All containers used it before accounts had their own networks. */
export const panelNetworkNames = (instanceId: string): { name: string; bridge: string } => ({
  name: `panel-${instanceId}`,
  bridge: `${bridgePrefix(instanceId)}p`
})

export const accountNetworkNames = (instanceId: string, number: number): { name: string; bridge: string } => ({
  name: `panel-${instanceId}-account-${number}`,
  bridge: `${bridgePrefix(instanceId)}a${number.toString(36)}`
})

export const buildBridgePrefix = (instanceId: string): string => `${bridgePrefix(instanceId)}b`

/** The panel's end of the encrypted network between machines, and each other end. No name of a bridge. */
export const tunnelInterface = (instanceId: string): string => `pw${instanceId.slice(0, 6)}`

/** Network of a single build. Linux limits interface names to 15 characters. */
export const buildNetworkNames = (
  instanceId: string,
  workerId: number,
  number: number
): { name: string; bridge: string } => ({
  name: `panel-${instanceId}-build-${workerId}-${number}`,
  bridge: `${buildBridgePrefix(instanceId)}${(workerId % 36 ** 4).toString(36)}${number.toString(36).padStart(2, '0')}`
})
