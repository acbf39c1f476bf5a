import { readFile } from 'node:fs/promises'
import { createHaproxyCertificates } from './haproxy-certificates.ts'
import { mapEquals, readMap, removeMapEntry, replaceMap, type Send, setMapEntry } from './haproxy-map.ts'
import { haproxyPaths } from './haproxy-paths.ts'
import { readInfo, sendCommand } from './haproxy-socket.ts'
import type { ContainerNetwork, ReverseProxy } from './reverse-proxy.ts'
import { renderRouteKey, renderRouteTable, renderRouteValue, type RouteTable } from './route-map.render.ts'
import { applyChanges, createRouteMapFile } from './route-map-file.ts'
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

type Changes = Map<string, string | undefined>

// Measured: above about 20 changes, one atomic replacement costs the proxy less than single changes.
const singleChangesMax = 20

/** Uses HAProxy's admin socket and map file. Starting and stopping: programs/haproxy.ts. */
export function createHaproxy(options: HaproxyOptions): ReverseProxy {
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const commandOptions = options.commandTimeoutMs === undefined ? {} : { timeoutMs: options.commandTimeoutMs }
  const send: Send = (command) => sendCommand(paths.adminSocket, command, commandOptions)
  const { alone = (_what, work) => work() } = options
  const file = createRouteMapFile(paths.map, (work) => alone('routes', work))
  let tail: Promise<unknown> = Promise.resolve()
  /** Queued changes; they share one file write. */
  let waiting: { changes: Changes; done: Promise<void> } | undefined
  /** A command failed, so the running map may differ from the file. */
  let isLiveMapUncertain = false

  return {
    async ping() {
      return (await readInfo(paths.adminSocket, commandOptions)).version
    },
    async set({ hostname, pathPrefix, ...route }) {
      await change(renderRouteKey(hostname, pathPrefix), renderRouteValue(route, options.network))
    },
    async remove(hostname, pathPrefix) {
      await change(renderRouteKey(hostname, pathPrefix), undefined)
    },
    async sync(routes) {
      const wanted = renderRouteTable(routes, options.network)
      waiting = undefined // Later changes must be applied after this sync.
      return serially(() => makeEqual(wanted))
    },
    ...createHaproxyCertificates(send, paths, {
      alone: (work) => alone('certificates', work),
      readWorker: async () => (await readInfo(paths.adminSocket, commandOptions)).pid
    }),
    async connectionCount(address, port) {
      return countConnections(await readFile('/proc/net/tcp', 'utf8'), address, port)
    }
  }

  function change(key: string, value: string | undefined): Promise<void> {
    if (!waiting) {
      const changes: Changes = new Map()
      const batch = {
        changes,
        done: serially(() => {
          if (waiting === batch) waiting = undefined
          return apply(changes)
        })
      }
      waiting = batch
    }
    waiting.changes.set(key, value)
    return waiting.done
  }

  function serially<T>(work: () => Promise<T>): Promise<T> {
    const result = tail.then(work)
    tail = result.catch(() => {}) // The caller gets the failure from `result`.
    return result
  }

  /** Running proxy first, so that callers wait for one command only, not for the file. */
  async function apply(changes: Changes): Promise<void> {
    file.follow(changes)
    try {
      await live(async () => {
        if (isLiveMapUncertain || changes.size > singleChangesMax || !(await applyOneByOne(changes)))
          await applyAtOnce(changes)
      })
    } catch (error) {
      await file.flush() // So that the proxy has the change if it restarts on its own.
      throw error
    }
  }

  /** The running map may be ahead of the file, also by other processes' changes. */
  async function applyAtOnce(changes: Changes): Promise<void> {
    const running = isLiveMapUncertain ? undefined : await readMap(send, paths.map)
    const table = running ?? (await file.flush(), await file.read())
    applyChanges(table, changes)
    await replaceMap(send, paths.map, table)
  }

  async function applyOneByOne(changes: Changes): Promise<boolean> {
    for (const [key, value] of changes) {
      const isDone =
        value === undefined ? removeMapEntry(send, paths.map, key) : setMapEntry(send, paths.map, key, value)
      if (!(await isDone)) return false
    }
    return true
  }

  /** File and running map are independent: a full disk must not keep outdated routes live. */
  async function makeEqual(wanted: RouteTable): Promise<boolean> {
    const results = await Promise.allSettled([file.replace(wanted), live(() => makeRunningEqual(wanted))])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return results.some((result) => result.status === 'fulfilled' && result.value)
  }

  async function makeRunningEqual(wanted: RouteTable): Promise<boolean> {
    if (await mapEquals(send, paths.map, wanted)) return false
    await replaceMap(send, paths.map, wanted)
    return true
  }

  async function live<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      isLiveMapUncertain = false
      return result
    } catch (error) {
      isLiveMapUncertain = true
      throw error
    }
  }
}
