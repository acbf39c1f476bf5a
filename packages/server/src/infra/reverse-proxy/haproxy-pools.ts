import { AdapterError } from '../adapter-error.ts'
import { poolName } from './haproxy-instances.render.ts'
import type { Send } from './haproxy-map.ts'
import { type InstancePool, poolCount } from './reverse-proxy.ts'

export interface PoolServer {
  name: string
  endpoint: string
  isServing: boolean
}

// SRV_ADMF_FMAINT: in maintenance by a command or by `disabled` in the configuration.
const inMaintenance = 1

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
        isServing: (Number(value('srv_admin_state')) & inMaintenance) === 0
      }
    })
}

/** Commands that make exactly `wanted` serve, new ones first; undefined if there are not enough free servers. */
export function planServers(servers: readonly PoolServer[], wanted: readonly string[]): string[][] | undefined {
  const serving = servers.filter(({ isServing }) => isServing)
  const missing = wanted.filter((endpoint) => !serving.some((server) => server.endpoint === endpoint))
  const free = servers.filter(({ isServing }) => !isServing)
  if (missing.length > free.length) return undefined
  const added = missing.map((endpoint, at) => {
    const [address, port] = endpoint.split(':')
    return [`${free[at]!.name} addr ${address} port ${port}`, `${free[at]!.name} state ready`]
  })
  const removed = serving
    .filter(
      ({ endpoint }, at) => !wanted.includes(endpoint) || serving.findIndex((one) => one.endpoint === endpoint) < at
    )
    .map(({ name }) => [`${name} state maint`])
  return [...added, ...removed]
}

/** Keeps the running proxy's pools. They are lost when it restarts: sync after each start. */
export function createPools(send: Send): {
  set(pool: InstancePool): Promise<boolean>
  sync(pools: readonly InstancePool[]): Promise<boolean>
} {
  /** Pools that may have servers. Undefined until the first sync, because another process may have set some. */
  let used: Set<string> | undefined

  async function makeEqual(name: string, wanted: readonly string[]): Promise<boolean> {
    const plan = planServers(parseServers(await send(`show servers state ${name}`)), wanted)
    if (!plan) throw unavailable(`${name} has no free server`)
    for (const commands of plan) await send(commands.map((command) => `set server ${name}/${command}`).join('; '))
    const serving = parseServers(await send(`show servers state ${name}`)).filter(({ isServing }) => isServing)
    const isRight = serving.length === wanted.length && serving.every(({ endpoint }) => wanted.includes(endpoint))
    if (!isRight) throw unavailable(`${name} did not take its servers`)
    return plan.length > 0
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
    }
  }
}

const endpointsOf = (members: InstancePool['members']) => members.map(({ address, port }) => `${address}:${port}`)

const allNames = [false, true].flatMap((isSticky) =>
  Array.from({ length: poolCount }, (_, at) => poolName(isSticky, at + 1))
)

const unavailable = (problem: string) =>
  new AdapterError('reverse-proxy-unavailable', 'The reverse proxy rejected a change', { cause: new Error(problem) })
