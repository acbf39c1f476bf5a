import { AdapterError } from '../adapter-error.ts'
import { cookieKey, poolName, serverName, serverOptions } from './haproxy-instances.render.ts'
import type { Send } from './haproxy-map.ts'
import { type DownMember, poolCount, type InstancePool } from './reverse-proxy.ts'

export interface PoolServer {
  name: string
  endpoint: string
  isServing: boolean
  /** Since its health check failed; undefined while it is up. */
  downSeconds: number | undefined
}

// SRV_ADMF_FMAINT: in maintenance by a command or by `disabled` in the configuration.
const inMaintenance = 1
// SRV_ST_STOPPED.
const stopped = '0'

/** Rows of `show servers state <backend>`. */
export function parseServers(answer: string): PoolServer[] {
  const rows = answer.split('\n').filter((line) => line.includes(' '))
  const columns =
    rows
      .find((row) => row.startsWith('# '))
      ?.slice(2)
      .split(' ') ?? []
  return rows
    .filter((row) => !row.startsWith('#'))
    .map((row) => {
      const values = row.split(' ')
      const value = (column: string) => values[columns.indexOf(column)] ?? ''
      return {
        name: value('srv_name'),
        endpoint: `${value('srv_addr')}:${value('srv_port')}`,
        isServing: (Number(value('srv_admin_state')) & inMaintenance) === 0,
        downSeconds: value('srv_op_state') === stopped ? Number(value('srv_time_since_last_change')) : undefined
      }
    })
}

/** Commands that make exactly `wanted` serve, new ones first, and remove the others once they have no connection. */
export function planServers(pool: string, servers: readonly PoolServer[], wanted: readonly string[]): string[] {
  const known = new Map(servers.map((server) => [server.endpoint, server]))
  const added = wanted.flatMap((endpoint) => {
    const server = known.get(endpoint)
    if (server) return server.isServing ? [] : [`set server ${pool}/${server.name} state ready`]
    const name = `${pool}/${serverName(endpoint)}`
    // The key again, because it gives new servers their cookie.
    const key = `set dynamic-cookie-key backend ${pool} ${cookieKey}`
    return [`add server ${name} ${endpoint} ${serverOptions}; enable health ${name}; enable server ${name}; ${key}`]
  })
  const others = servers.filter(({ endpoint }) => !wanted.includes(endpoint))
  const ended = others.flatMap(({ name, isServing }) => (isServing ? [`set server ${pool}/${name} state maint`] : []))
  return [...added, ...ended, ...others.map(({ name }) => `del server ${pool}/${name}`)]
}

/** Keeps the running proxy's pools. They are lost when it restarts: sync after each start. */
export function createPools(send: Send): {
  set(pool: InstancePool): Promise<boolean>
  sync(pools: readonly InstancePool[]): Promise<boolean>
  listDown(pool: Pick<InstancePool, 'number' | 'isSticky'>): Promise<DownMember[]>
} {
  /** Pools that may have servers. Undefined until the first sync, because another process may have set some. */
  let used: Set<string> | undefined

  async function makeEqual(name: string, wanted: readonly string[]): Promise<boolean> {
    const servers = parseServers(await send(`show servers state ${name}`))
    if (isEqual(servers, wanted) && servers.length === wanted.length) return false
    for (const command of planServers(name, servers, wanted)) await send(command)
    if (!isEqual(parseServers(await send(`show servers state ${name}`)), wanted))
      throw new AdapterError('reverse-proxy-unavailable', 'The reverse proxy rejected a change', {
        cause: new Error(`${name} did not take its servers`)
      })
    return !isEqual(servers, wanted)
  }

  return {
    async set({ number, isSticky, members }) {
      const name = poolName(isSticky, number)
      used?.add(name)
      return makeEqual(name, endpointsOf(members))
    },
    async sync(pools) {
      const wanted = new Map(
        pools.map(({ number, isSticky, members }) => [poolName(isSticky, number), endpointsOf(members)])
      )
      let hasChanged = false
      for (const name of new Set([...(used ?? allNames), ...wanted.keys()]))
        hasChanged = (await makeEqual(name, wanted.get(name) ?? [])) || hasChanged
      used = new Set(wanted.keys())
      return hasChanged
    },
    async listDown({ number, isSticky }) {
      const servers = parseServers(await send(`show servers state ${poolName(isSticky, number)}`))
      return servers.flatMap(({ endpoint, isServing, downSeconds }) => {
        if (!isServing || downSeconds === undefined) return []
        const [address, port] = endpoint.split(':')
        return [{ address: address!, port: Number(port), seconds: downSeconds }]
      })
    }
  }
}

const endpointsOf = (members: InstancePool['members']) => members.map(({ address, port }) => `${address}:${port}`)

const allNames = [false, true].flatMap((isSticky) =>
  Array.from({ length: poolCount }, (_, at) => poolName(isSticky, at + 1))
)

function isEqual(servers: readonly PoolServer[], wanted: readonly string[]): boolean {
  const serving = servers.filter(({ isServing }) => isServing)
  return serving.length === wanted.length && serving.every(({ endpoint }) => wanted.includes(endpoint))
}
