export interface MachineResources {
  /** RLIMIT_NOFILE. Connections and pipes to child processes are open files. */
  openFiles: number
  memoryBytes: number
}

export interface PanelConnections {
  strangers: number
  perAddress: number
  proxy: number
  /** Live channel clients, which stay connected; counted separately from the proxy's requests. */
  live: number
}

export interface ProxyLimits {
  connections: number
  /** Above `full` connections, addresses that already have `connectionsWhenFull` get no more. */
  full: number
  connectionsWhenFull: number
  perAddress: ClientLimits
  perContainer: ClientLimits
  siteRequests: number
  /** Requests to all sites; the rest is reserved for the panel and ACME challenges. */
  allSiteRequests: number
  /** Through published TCP ports, which stay open for long: to one container, and to all. */
  tcpConnectionsPerTarget: number
  tcpConnections: number
}

export interface ClientLimits {
  connections: number
  connectionsIn10Seconds: number
  requests: number
}

// Measured: an idle connection takes 6 KB; one with a request takes more.
const bytesPerPanelConnection = 32 * 1024
// Two buffers of 32 KiB during transfers, plus TLS.
const bytesPerProxyConnection = 96 * 1024

/**
 * Half of the open files are reserved for child processes, files and databases. An address gets an eighth of the
 * connections: 781 with 20,000 open files, enough for an office of 200 browsers.
 */
export function panelConnections({ openFiles, memoryBytes }: MachineResources): PanelConnections {
  const strangers = within(16, 16_384, Math.min((openFiles * 5) / 16, memoryBytes / 8 / bytesPerPanelConnection))
  return {
    strangers,
    perAddress: within(8, strangers, strangers / 8),
    proxy: within(8, 1_024, openFiles / 8),
    live: within(8, 4_096, openFiles / 16)
  }
}

/**
 * HAProxy needs two files per connection, and does not start with fewer. The shares fit an office of 200 browsers
 * behind one address (1,200 connections) and a site with 600 requests in progress.
 */
export function proxyLimits({ openFiles, memoryBytes }: MachineResources): ProxyLimits {
  const connections = within(16, 50_000, Math.min(openFiles / 2 - 100, memoryBytes / 4 / bytesPerProxyConnection))
  const share = (part: number, most: number) => within(8, most, connections * part)
  const perAddress = {
    connections: share(1 / 8, 2_000),
    connectionsIn10Seconds: 2_000,
    requests: share(1 / 16, 500)
  }
  return {
    connections,
    full: share(3 / 4, connections),
    connectionsWhenFull: 32,
    perAddress,
    // For requests from one site to others on this server, with and without long-lived connections.
    perContainer: {
      connections: Math.min(100, perAddress.connections),
      connectionsIn10Seconds: 1_000,
      requests: Math.min(100, perAddress.requests)
    },
    siteRequests: share(1 / 16, 2_000),
    allSiteRequests: share(3 / 4, connections),
    tcpConnectionsPerTarget: share(1 / 16, 2_000),
    tcpConnections: share(1 / 8, connections)
  }
}

const within = (least: number, most: number, value: number): number =>
  Math.floor(Math.max(least, Math.min(most, value)))
