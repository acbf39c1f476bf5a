import { join } from 'node:path'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { proxyLimits } from '../../net/connection-limits.policy.ts'
import type { NodeConnection } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import { putEdgeFiles } from './edge-files.ts'
import { createEdgeProcess, type Prepared, type Shell, unavailable } from './edge-process.ts'
import { type Certificates, digestOf, readCertificates, readServed } from './edge-source.ts'
import { edgeState, type ServedState, tableChanges } from './edge-tables.policy.ts'
import { haproxyFingerprint, renderHaproxyConfig } from './haproxy-config.render.ts'
import { readMap, removeMapEntry, replaceMap, type Send, setMapEntry } from './haproxy-map.ts'
import { type HaproxyConfigOptions, type RelayName, relayNames } from './haproxy-options.ts'
import { renderPages } from './haproxy-pages.render.ts'
import { haproxyPaths } from './haproxy-paths.ts'
import { createPools, parseServers } from './haproxy-pools.ts'
import { readInfo, sendCommand } from './haproxy-socket.ts'
import { renderRouteMap, type RouteTable } from './route-map.render.ts'
import { countConnections } from './tcp-connections.ts'

/**
 * A proxy on an added machine, for visitors whose connections arrive there. It serves what the panel's proxy serves: sites on
 * added machines itself, also without the panel, and everything else through the panel's proxy.
 */
export interface Edge {
  /**
   * Makes it equal to the panel's proxy; starts it if it does not run. Requests are not interrupted. Resolves with whether
   * anything changed. Rejects with AdapterError reverse-proxy-unavailable or node-unavailable; it then continues as it was.
   */
  follow(): Promise<boolean>
  /** Rejects with AdapterError unless it serves. */
  ping(): Promise<void>
  connectionCount(address: string, port?: number): Promise<number>
  /** See `ReverseProxy`. */
  endRequests(address: string): Promise<void>
  /** Loads its program again after that was upgraded. Requests are not interrupted. Rejects with AdapterError. */
  renew(): Promise<void>
  /** Takes no new connections, ends with those that it has, and leaves no keys. */
  remove(): Promise<void>
}

export interface EdgeConfig extends Pick<HaproxyConfigOptions, 'loginKey' | 'network' | 'unlimitedSources'> {
  httpPort: number
  httpsPort: number
}

interface EdgeOptions {
  connection: Pick<NodeConnection, 'readFile' | 'relaySocket' | 'run' | 'socket'>
  /** There; both are the edge's alone. */
  directory: string
  runtimeDirectory: string
  /** Of the panel's proxy. */
  own: Parameters<typeof readServed>[1]
  config: () => Promise<EdgeConfig>
  /** Addresses of machines that it does not reach: their sites are relayed as well. */
  outOfReach: () => Promise<ReadonlySet<string>>
}

const commandMs = 30_000
// As for the panel's proxy.
const singleChangesMax = 20

export function createEdge({ connection, directory, runtimeDirectory, own, config, outOfReach }: EdgeOptions): Edge {
  const paths = haproxyPaths(directory, runtimeDirectory, directory)
  const send: Send = async (command) => sendCommand(await connection.socket(paths.adminSocket), command)
  const info = async () => readInfo(await connection.socket(paths.adminSocket))
  const sendOwn: Send = (command) => sendCommand(own.adminSocket, command)
  const pools = createPools(send)
  const serially = createSemaphore(1)
  let prepared: Prepared | undefined
  let certificates: Certificates | undefined
  /** What the worker with this process id has. */
  let running: { pid: number; tables: Map<string, RouteTable> } | undefined

  /** Of the last attempt to follow. */
  let failure: unknown

  const shell: Shell = async (script, args, timeoutMs = commandMs) =>
    (await connection.run(['sh', '-ec', script, 'sh', ...args], { timeoutMs })).stdout
  const program = createEdgeProcess(shell, paths, { directory, runtimeDirectory, info })

  async function follow(served: ServedState, certificates: Certificates): Promise<boolean> {
    const there = (prepared ??= await program.prepare())
    const state = edgeState(served, await outOfReach())
    const relays = await openRelays()
    const { httpPort, httpsPort, network, ...rest } = await config()
    const bindsOf = (port: number) => [`0.0.0.0:${port}`, ...(there.hasIpv6 ? [`[::]:${port}`] : [])]
    const options: HaproxyConfigOptions = {
      ...rest,
      httpBinds: bindsOf(httpPort),
      httpsBinds: bindsOf(httpsPort),
      network: { ...network, machines: new Set(state.machines.keys()) },
      directory,
      runtimeDirectory,
      certificateDirectory: directory,
      user: there.user,
      limits: proxyLimits(there.resources),
      edge: { relays, pools: state.pools, certificates: digestOf(certificates.list) }
    }
    const hasNewFiles = await putFiles(there, options, state, certificates)
    const description = haproxyFingerprint(options)
    const before = await program.find()
    if (before?.description === description) {
      if (running?.pid !== before.pid) running = { pid: before.pid, tables: new Map() }
      return (await apply(state, relays, running.tables)) || hasNewFiles
    }
    running = undefined
    if (before) await program.reload(description)
    else await program.start(description)
    return true
  }

  async function openRelays(): Promise<Record<RelayName, number>> {
    const sockets = { plain: own.edgeSocket, tls: own.edgeTlsSocket, traffic: own.trafficSocket }
    const opened = relayNames.map(async (name) => [name, await connection.relaySocket(sockets[name])] as const)
    return Object.fromEntries(await Promise.all(opened)) as Record<RelayName, number>
  }

  /** The configuration last: it names the others. */
  async function putFiles(
    there: Prepared,
    options: HaproxyConfigOptions,
    state: ServedState,
    { list, files, digests: known }: Certificates
  ): Promise<boolean> {
    const wanted = new Map<string, string>([
      ...files,
      [paths.crtList, list],
      [paths.map, renderRouteMap(state.routes)],
      [paths.rules, renderRouteMap(state.rules)],
      [paths.machines, renderRouteMap(state.machines)],
      ...[...renderPages()].map(([name, content]) => [join(paths.pages, name), content] as const)
    ])
    const text = renderHaproxyConfig(options)
    const digests = new Map([...wanted].map(([path, content]) => [path, known.get(path) ?? digestOf(content)]))
    const isNew = there.files.get(paths.config) !== digestOf(text)
    const added = [...wanted].filter(([path]) => there.files.get(path) !== digests.get(path))
    const removed = [...there.files.keys()].filter(
      (path) => path.startsWith(`${paths.certificates}/`) && !wanted.has(path)
    )
    if (!isNew && added.length === 0 && removed.length === 0) return false
    prepared = undefined // Unknown until it is done.
    const put = isNew ? [...added, [`${paths.config}.new`, text] as const] : added
    await putEdgeFiles(connection, directory, new Map(put))
    if (isNew) await program.checkConfig()
    // The configuration does not name them any more.
    if (removed.length > 0) await shell('rm -f -- "$@"', removed)
    prepared = { ...there, files: digests.set(paths.config, digestOf(text)) }
    return true
  }

  /** Rules before the routes that name them, and what no route names any more last. */
  async function apply(
    state: ServedState,
    relays: Record<RelayName, number>,
    tables: Map<string, RouteTable>
  ): Promise<boolean> {
    const set = (path: string, table: RouteTable) => setTable(send, tables, path, table)
    const changed = [
      await pointRelays(relays),
      await set(paths.machines, state.machines),
      await set(paths.rules, new Map([...(tables.get(paths.rules) ?? []), ...state.rules]))
    ]
    for (const pool of state.pools) changed.push(await pools.set(pool))
    changed.push(await set(paths.map, state.routes), await set(paths.rules, state.rules), await pools.sync(state.pools))
    return changed.includes(true)
  }

  async function pointRelays(relays: Record<RelayName, number>): Promise<boolean> {
    const servers = [
      ['relay', relays.plain],
      ['relay_tls', relays.tls],
      ['traffic', relays.traffic]
    ] as const
    let hasChanged = false
    for (const [backend, port] of servers) {
      const [known] = parseServers(await send(`show servers state ${backend}`))
      if (known?.endpoint === `127.0.0.1:${port}`) continue
      await send(`set server ${backend}/panel addr 127.0.0.1 port ${port}`)
      hasChanged = true
    }
    return hasChanged
  }

  return {
    follow: () =>
      serially(async () => {
        // If the panel's proxy does not answer, for example while it reloads, this one has not failed.
        const served = await readServed(sendOwn, own)
        certificates = await readCertificates(own, paths, certificates)
        try {
          const hasChanged = await follow(served, certificates)
          failure = undefined
          return hasChanged
        } catch (error) {
          prepared = undefined
          running = undefined
          failure =
            error instanceof ProcessError ? unavailable(error.stderr.trim().split('\n').at(-1) ?? '', error) : error
          throw failure
        }
      }),
    async ping() {
      if (failure !== undefined) throw failure
      await info()
    },
    connectionCount: async (address, port) =>
      countConnections(await connection.readFile('/proc/net/tcp'), address, port),
    endRequests: (address) => pools.endRequests(address),
    renew: () =>
      serially(async () => {
        const found = await program.find()
        if (found) await program.reload(found.description)
      }),
    remove: () =>
      serially(async () => {
        prepared = undefined
        running = undefined
        await program.remove()
      })
  }
}

/** Like the panel's proxy: single changes, or the whole table at once. */
async function setTable(
  send: Send,
  tables: Map<string, RouteTable>,
  path: string,
  wanted: RouteTable
): Promise<boolean> {
  const before = tables.get(path) ?? (await readMap(send, path))
  tables.delete(path) // Unknown until it is done.
  const changes = before && tableChanges(before, wanted, singleChangesMax)
  let isDone = changes !== undefined
  for (const [key, value] of changes ?? [])
    isDone &&= await (value === undefined ? removeMapEntry(send, path, key) : setMapEntry(send, path, key, value))
  if (!isDone) await replaceMap(send, path, wanted)
  tables.set(path, wanted)
  return changes === undefined || changes.size > 0
}
