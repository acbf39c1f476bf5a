/** What this machine gives a process. */
export interface MachineResources {
  /** RLIMIT_NOFILE: each connection is an open file, and so is each pipe to a program that is started. */
  openFiles: number
  memoryBytes: number
}

/** How many connections the API keeps at once. What is above is closed as it comes. */
export interface PanelConnections {
  /** Of all addresses together, but the panel's own proxy. */
  strangers: number
  /** Of one of them. */
  perAddress: number
  /** Of the panel's own proxy, for requests: a share that nobody else can use up. */
  proxy: number
  /** Clients of the live channel, which stay for as long as somebody looks: beside the proxy's requests, so that these never wait for one to go. */
  live: number
}

/** How many connections and requests the proxy has in hand at once. */
export interface ProxyLimits {
  /** All connections of clients. */
  connections: number
  /** From so many on, an address that has `connectionsWhenFull` already gets no more. */
  full: number
  connectionsWhenFull: number
  /** Of one client: an IPv4 address, or the /64 of an IPv6 address. */
  perAddress: ClientLimits
  /** Of one container. */
  perContainer: ClientLimits
  /** Requests to one site; those that go on for long (WebSockets, downloads) among them. */
  siteRequests: number
  /** Requests to all sites: what is left is for the panel and for certificate authorities. */
  allSiteRequests: number
}

export interface ClientLimits {
  connections: number
  connectionsIn10Seconds: number
  requests: number
}

// Measured: an idle connection takes 6 KB of the panel; a request in hand takes more.
const bytesPerPanelConnection = 32 * 1024
// Two buffers of 32 KiB while bytes go through it, and TLS.
const bytesPerProxyConnection = 96 * 1024

/**
 * Half of the open files are for programs, files, the store and the engines: a flood of connections never takes those. An eighth of theirs for
 * one address is 781 where a process may have 20,000 open files, and 2,048 under the unit of systemd: an office of 200 browsers, of which few open six each at once.
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
 * Two files for each connection and some of the proxy's own: with more it does not start. The shares are written for the honest: an office
 * of 200 browsers behind one address holds at most 1,200 connections and far fewer requests; a site that takes 0.1 s for each request has 600 in
 * hand when it serves 6,000 in a second; a browser asks for 100 things at once over one connection.
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
    // What one site asks of others here, with and without connections that stay.
    perContainer: {
      connections: Math.min(100, perAddress.connections),
      connectionsIn10Seconds: 1_000,
      requests: Math.min(100, perAddress.requests)
    },
    siteRequests: share(1 / 16, 2_000),
    allSiteRequests: share(3 / 4, connections)
  }
}

const within = (least: number, most: number, value: number): number =>
  Math.floor(Math.max(least, Math.min(most, value)))
