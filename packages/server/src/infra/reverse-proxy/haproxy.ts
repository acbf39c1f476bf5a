import { readFile } from 'node:fs/promises'
import { createHaproxyCertificates } from './haproxy-certificates.ts'
import { createLiveMap } from './haproxy-live-map.ts'
import type { Send } from './haproxy-map.ts'
import { createPools } from './haproxy-pools.ts'
import { haproxyPaths } from './haproxy-paths.ts'
import { readInfo, sendCommand } from './haproxy-socket.ts'
import type { ContainerNetwork, ReverseProxy } from './reverse-proxy.ts'
import { checkPool, parseRouteMap, renderRouteKey, renderRouteTable, renderRouteValue } from './route-map.render.ts'
import { parseRuleMap, renderRuleTable, ruleTableChanges } from './rule-map.render.ts'
import { parseTcpMap, renderTcpTable } from './tcp-map.render.ts'
import { parseMachineMap, renderMachineTable } from './machine-map.render.ts'
import { countConnections } from './tcp-connections.ts'

interface HaproxyOptions {
  directory: string
  runtimeDirectory: string
  certificateDirectory: string
  network: ContainerNetwork
  commandTimeoutMs?: number
  /** Runs `work` exclusively across processes: of two concurrent writes to a file one would be lost. */
  alone?: (what: 'routes' | 'certificates', work: () => Promise<void>) => Promise<void>
}

/** Uses HAProxy's admin socket and map files. Starting and stopping: programs/haproxy.ts. */
export function createHaproxy(options: HaproxyOptions): ReverseProxy {
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const commandOptions = options.commandTimeoutMs === undefined ? {} : { timeoutMs: options.commandTimeoutMs }
  const send: Send = (command) => sendCommand(paths.adminSocket, command, commandOptions)
  const { alone = (_what, work) => work() } = options
  const aloneWithRoutes = (work: () => Promise<void>) => alone('routes', work)
  const routes = createLiveMap({ send, path: paths.map, parse: parseRouteMap, alone: aloneWithRoutes })
  const rules = createLiveMap({ send, path: paths.rules, parse: parseRuleMap, alone: aloneWithRoutes })
  const tcp = createLiveMap({ send, path: paths.tcpMap, parse: parseTcpMap, alone: aloneWithRoutes })
  const machines = createLiveMap({ send, path: paths.machines, parse: parseMachineMap, alone: aloneWithRoutes })
  const network = { ...options.network, machines: new Set<string>() }
  const pools = createPools(send)

  return {
    async ping() {
      return (await readInfo(paths.adminSocket, commandOptions)).version
    },
    async set({ hostname, pathPrefix, ...route }) {
      const value = renderRouteValue(route, network)
      await routes.change(new Map([[renderRouteKey(hostname, pathPrefix), value]]))
    },
    async remove(hostname, pathPrefix) {
      await routes.change(new Map([[renderRouteKey(hostname, pathPrefix), undefined]]))
    },
    async sync(wanted) {
      return routes.sync(renderRouteTable(wanted, network))
    },
    async changeRules(before, after) {
      const changes = ruleTableChanges(renderRuleTable(before), renderRuleTable(after))
      if (changes.size > 0) await rules.change(changes)
    },
    async syncRules(wanted) {
      return rules.sync(renderRuleTable(wanted))
    },
    ...createHaproxyCertificates(send, paths, {
      alone: (work) => alone('certificates', work),
      readWorker: async () => (await readInfo(paths.adminSocket, commandOptions)).pid
    }),
    async setPool(pool) {
      checkPool(pool, network)
      await pools.set(pool)
    },
    async syncPools(wanted) {
      for (const pool of wanted) checkPool(pool, network)
      return pools.sync(wanted)
    },
    listDown: (pool) => pools.listDown(pool),
    endRequests: (address) => pools.endRequests(address),
    async syncTcp(wanted) {
      return tcp.sync(renderTcpTable(wanted, network))
    },
    async syncMachines(addresses) {
      const hasChanged = await machines.sync(renderMachineTable(addresses))
      network.machines = new Set(addresses)
      return hasChanged
    },
    async connectionCount(address, port) {
      return countConnections(await readFile('/proc/net/tcp', 'utf8'), address, port)
    }
  }
}
