/** Bridges of the installation begin with this, so that the firewall knows them by name, those of the future too. */
export const bridgePrefix = (instanceId: string): string => `pn${instanceId.slice(0, 6)}`

/** The network that the containers of all sites share, each unreachable to the others. */
export const proxyNetworkNames = (instanceId: string): { name: string; bridge: string } => ({
  name: `panel-${instanceId}`,
  bridge: `${bridgePrefix(instanceId)}p`
})

/** A network of one build at a time. The kernel allows 15 characters for the name of a bridge. */
export const buildNetworkNames = (
  instanceId: string,
  workerId: number,
  number: number
): { name: string; bridge: string } => ({
  name: `panel-${instanceId}-build-${workerId}-${number}`,
  bridge: `${bridgePrefix(instanceId)}b${(workerId % 36 ** 4).toString(36)}${number.toString(36).padStart(2, '0')}`
})
