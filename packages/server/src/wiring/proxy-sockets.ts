import type { Config } from '../config.ts'
import { haproxyPaths } from '../infra/reverse-proxy/haproxy-paths.ts'
import { createHaproxyTraffic } from '../infra/traffic/haproxy-traffic.ts'
import { createSocksWakeGate } from '../infra/wake-gate/socks-wake-gate.ts'
import { proxyDirectories } from '../process/paths.ts'

/** The proxy's directories, and what listens there to what it says. */
export async function openProxySockets(config: Config) {
  const directories = await proxyDirectories(config)
  const { trafficSocket, wakeSocket } = haproxyPaths(directories.directory, directories.runtimeDirectory)
  return { directories, siteTraffic: createHaproxyTraffic(trafficSocket), wakeGate: createSocksWakeGate(wakeSocket) }
}
