import type { Config } from '../config.ts'
import { haproxyPaths } from '../infra/reverse-proxy/haproxy-paths.ts'
import { createHaproxyTraffic } from '../infra/traffic/haproxy-traffic.ts'
import { createSocksWakeGate } from '../infra/wake-gate/socks-wake-gate.ts'
import { proxyDirectories } from '../process/paths.ts'

/** The proxy's directories and paths, and the listeners for its messages. */
export async function openProxySockets(config: Config) {
  const directories = await proxyDirectories(config)
  const { directory, runtimeDirectory, certificateDirectory } = directories
  const paths = haproxyPaths(directory, runtimeDirectory, certificateDirectory)
  const { trafficSocket, wakeSocket } = paths
  return {
    directories,
    paths,
    siteTraffic: createHaproxyTraffic(trafficSocket),
    wakeGate: createSocksWakeGate(wakeSocket)
  }
}
