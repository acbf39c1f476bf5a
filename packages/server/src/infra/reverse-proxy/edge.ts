import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { type MachineResources, proxyLimits } from '../../net/connection-limits.policy.ts'
import { AdapterError } from '../adapter-error.ts'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { NodeConnection } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import { parseCrtList, renderCrtLines, renderCrtList } from './crt-list.render.ts'
import { putEdgeFiles } from './edge-files.ts'
import { edgeState, namedPools, type ServedState, tableChanges } from './edge-tables.policy.ts'
import { haproxyFingerprint, renderHaproxyConfig } from './haproxy-config.render.ts'
import { readMap, removeMapEntry, replaceMap, type Send, setMapEntry } from './haproxy-map.ts'
import { type HaproxyConfigOptions, type RelayName, relayNames } from './haproxy-options.ts'
import { renderPages } from './haproxy-pages.render.ts'
import { type HaproxyPaths, haproxyPaths } from './haproxy-paths.ts'
import { createPools, parseServers } from './haproxy-pools.ts'
import { poolName } from './haproxy-instances.render.ts'
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
  own: HaproxyPaths
  config: () => Promise<EdgeConfig>
}

interface Prepared {
  user: { uid: number; gid: number }
  resources: MachineResources
  hasIpv6: boolean
  /** Digests of the files that are there, by path. */
  files: ReadonlyMap<string, string>
}

interface Certificates {
  /** The list of the panel's proxy. */
  list: string
  files: ReadonlyMap<string, string>
}

const commandMs = 30_000
const installMs = 10 * 60_000
const startMs = 60_000
const pollMs = 100
// As for the panel's proxy.
const singleChangesMax = 20

const prepareScript = `
LC_ALL=C; export LC_ALL; umask 077
if ! [ -x /usr/sbin/haproxy ]; then
  # The service of the package would not have our configuration.
  [ ! -d /etc/systemd/system ] || [ -e /etc/systemd/system/haproxy.service ] || ln -s /dev/null /etc/systemd/system/haproxy.service
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends haproxy >/dev/null
fi
mkdir -p "$1" "$2/empty"
id -u haproxy; id -g haproxy; ulimit -Hn; sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo
[ -e /proc/net/if_inet6 ] && echo yes || echo no
cd "$1"; find . -type f ! -path './.incoming/*' -printf '%P\\0' | xargs -0 -r sha256sum
`
const processScript = `pid=$(cat "$1" 2>/dev/null) && grep -qzxF -- "$2" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid" || true`
const checkScript = `haproxy -c -q -f "$1.new" && mv -f "$1.new" "$1"`
// The directory of the log is there. It keeps what the last start wrote.
const startScript = `setsid haproxy -W -f "$1" -p "$2" -S "$3,mode,600" </dev/null >"$4" 2>&1 &`

export function createEdge({ connection, directory, runtimeDirectory, own, config }: EdgeOptions): Edge {
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

  const shell = async (script: string, args: readonly string[], timeoutMs = commandMs): Promise<string> =>
    (await connection.run(['sh', '-ec', script, 'sh', ...args], { timeoutMs })).stdout

  async function follow(): Promise<boolean> {
    const there = (prepared ??= await prepare())
    const state = edgeState(await readServed(sendOwn, own))
    certificates = await readCertificates(own, paths, certificates)
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
    const before = await info().catch(() => undefined)
    if (before?.description === description) {
      if (running?.pid !== before.pid) running = { pid: before.pid, tables: new Map() }
      return (await apply(state, relays, running.tables)) || hasNewFiles
    }
    running = undefined
    if (before) await reload(description)
    else await start(description)
    return true
  }

  async function prepare(): Promise<Prepared> {
    const text = await shell(prepareScript, [directory, runtimeDirectory], installMs)
    const [uid, gid, openFiles, memoryKb, hasIpv6, ...sums] = text.trim().split('\n')
    return {
      user: { uid: Number(uid), gid: Number(gid) },
      resources: {
        openFiles: openFiles === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(openFiles),
        memoryBytes: Number(memoryKb) * 1024
      },
      hasIpv6: hasIpv6 === 'yes',
      files: new Map(sums.map((line) => [join(directory, line.slice(66)), line.slice(0, 64)]))
    }
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
    { list, files }: Certificates
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
    const digests = new Map([...wanted].map(([path, content]) => [path, digestOf(content)]))
    const isNew = there.files.get(paths.config) !== digestOf(text)
    const added = [...wanted].filter(([path]) => there.files.get(path) !== digests.get(path))
    const removed = [...there.files.keys()].filter(
      (path) => path.startsWith(`${paths.certificates}/`) && !wanted.has(path)
    )
    if (!isNew && added.length === 0 && removed.length === 0) return false
    prepared = undefined // Unknown until it is done.
    const put = isNew ? [...added, [`${paths.config}.new`, text] as const] : added
    await putEdgeFiles(connection, directory, new Map(put))
    if (isNew) await shell(checkScript, [paths.config])
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
      ['relay', 'plain', relays.plain],
      ['relay', 'tls', relays.tls],
      ['traffic', 'panel', relays.traffic]
    ] as const
    let hasChanged = false
    for (const [backend, name, port] of servers) {
      const known = parseServers(await send(`show servers state ${backend}`)).find((server) => server.name === name)
      if (known?.endpoint === `127.0.0.1:${port}`) continue
      await send(`set server ${backend}/${name} addr 127.0.0.1 port ${port}`)
      hasChanged = true
    }
    return hasChanged
  }

  async function start(description: string): Promise<void> {
    // One that runs without answering is left to the next attempt: a second one would take half of the connections.
    if (await masterPid()) await stop('TERM')
    await shell(startScript, [paths.config, paths.pid, paths.masterSocket, paths.log])
    await untilServing(description)
  }

  async function reload(description: string): Promise<void> {
    const pid = await masterPid()
    if (pid === '') throw new AdapterError('reverse-proxy-unavailable', 'The proxy of the machine is starting')
    await shell('kill -USR2 "$1"', [pid])
    await untilServing(description)
  }

  async function untilServing(description: string): Promise<void> {
    for (const deadline = Date.now() + startMs; Date.now() < deadline; await sleep(pollMs)) {
      const found = await info().catch(() => undefined)
      if (found?.description === description) return
    }
    const reason = (await shell('tail -c 500 "$1"', [paths.log]).catch(() => '')).trim().split('\n').at(-1)
    throw unavailable(reason ?? '')
  }

  const masterPid = async (): Promise<string> => (await shell(processScript, [paths.pid, paths.config])).trim()

  async function stop(signal: 'TERM' | 'USR1'): Promise<void> {
    const pid = await masterPid()
    if (pid !== '') await shell('kill -s "$1" "$2"', [signal, pid])
  }

  return {
    follow: () =>
      serially(async () => {
        try {
          return await follow()
        } catch (error) {
          prepared = undefined
          running = undefined
          if (error instanceof ProcessError) throw unavailable(error.stderr.trim().split('\n').at(-1) ?? '', error)
          throw error
        }
      }),
    ping: async () => void (await info()),
    connectionCount: async (address, port) =>
      countConnections(await connection.readFile('/proc/net/tcp'), address, port),
    remove: () =>
      serially(async () => {
        prepared = undefined
        running = undefined
        await stop('USR1')
        await shell('rm -rf -- "$@"', [directory, runtimeDirectory])
      })
  }
}

const unavailable = (reason: string, cause?: unknown): AdapterError =>
  new AdapterError('reverse-proxy-unavailable', 'The proxy of the machine could not be set up', {
    cause,
    reason: reason === '' ? 'no reason given' : reason.slice(0, 300)
  })

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex')

/** From the proxy itself, whose files may be behind. */
async function readServed(send: Send, own: HaproxyPaths): Promise<ServedState> {
  const read = async (path: string) => {
    const table = await readMap(send, path)
    if (table) return table
    throw new AdapterError('reverse-proxy-unavailable', 'The reverse proxy is changing a table')
  }
  const [routes, rules, machines] = await Promise.all([own.map, own.rules, own.machines].map(read))
  const pools = namedPools(routes!).map(async (pool) => {
    const servers = parseServers(await send(`show servers state ${poolName(pool.isSticky, pool.number)}`))
    const members = servers.filter(({ isServing }) => isServing).map(({ endpoint }) => endpoint.split(':'))
    return { ...pool, members: members.map(([address, port]) => ({ address: address!, port: Number(port) })) }
  })
  return { routes: routes!, rules: rules!, machines: machines!, pools: await Promise.all(pools) }
}

/** Certificates that the panel's proxy has on disk, under the paths of the edge. Read again only if its list changed. */
async function readCertificates(
  own: HaproxyPaths,
  paths: HaproxyPaths,
  known: Certificates | undefined
): Promise<Certificates> {
  const entries = parseCrtList(own.certificates, (await readIfExists(own.crtList)) ?? '')
  const lines = renderCrtLines(entries)
  const list = renderCrtList(paths.certificates, paths.defaultCertificate, lines)
  if (known?.list === list) return known
  const files = new Map([[paths.defaultCertificate, await readFile(own.defaultCertificate, 'utf8')]])
  for (const file of lines.keys())
    files.set(join(paths.certificates, file), await readFile(join(own.certificates, file), 'utf8'))
  return { list, files }
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
