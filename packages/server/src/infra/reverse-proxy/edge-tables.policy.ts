import { poolCount } from './reverse-proxy.ts'
import type { InstancePool } from './reverse-proxy.ts'
import type { RouteTable } from './route-map.render.ts'

/** What the panel's proxy serves, as it runs. */
export interface ServedState {
  routes: RouteTable
  rules: RouteTable
  /** Addresses of other machines. */
  machines: RouteTable
  pools: readonly InstancePool[]
}

const relayed = 'relay:0:0'

/**
 * The same for an edge, which reaches containers on added machines only. What is on the panel's machine is relayed to its
 * proxy, and so is the panel, a site that it has to wake, and what is on machines out of reach. Of a pool, the instances that the edge reaches are enough.
 */
export function edgeState(
  { routes, rules, machines: all, pools }: ServedState,
  outOfReach: ReadonlySet<string> = new Set()
): ServedState {
  const machines: RouteTable = new Map([...all].filter(([address]) => !outOfReach.has(address)))
  const reached = pools
    .map((pool) => ({ ...pool, members: pool.members.filter(({ address }) => machines.has(address)) }))
    .filter(({ members }) => members.length > 0)
  const addresses = new Set(reached.map(poolAddress))
  const isServed = (value: string): boolean => {
    const [address = '', , , , , last] = value.split(':')
    if (['stopped', 'starting', 'nothing'].includes(address)) return true
    return last !== 'sleeping' && (machines.has(address) || addresses.has(address))
  }
  const table = [...routes].map(([key, value]) => [key, isServed(value) ? value : relayed] as const)
  return { routes: new Map(table), rules, machines, pools: reached }
}

/** In place of the address of a container; see route-map.render.ts. */
const poolAddress = ({ number, isSticky }: Pick<InstancePool, 'number' | 'isSticky'>): string =>
  `0.0.${isSticky ? 1 : 0}.${number}`

/** The pools that routes name. */
export function namedPools(routes: RouteTable): { number: number; isSticky: boolean }[] {
  const addresses = new Set([...routes.values()].map((value) => value.slice(0, value.indexOf(':'))))
  return [false, true].flatMap((isSticky) =>
    Array.from({ length: poolCount }, (_, at) => ({ number: at + 1, isSticky })).filter((pool) =>
      addresses.has(poolAddress(pool))
    )
  )
}

/** Values to set, and keys to remove; undefined if there are so many that the whole table should be replaced. */
export function tableChanges(
  current: RouteTable,
  wanted: RouteTable,
  most: number
): Map<string, string | undefined> | undefined {
  const changes = new Map<string, string | undefined>()
  for (const key of current.keys()) if (!wanted.has(key)) changes.set(key, undefined)
  for (const [key, value] of wanted) if (current.get(key) !== value) changes.set(key, value)
  return changes.size > most ? undefined : changes
}
