import { z } from 'zod'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withConnection } from '../../db/database.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import type { InstancePool, Route } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { ownHostnames, ownRoute } from './panel-name.service.ts'
import { routeOf } from './route.policy.ts'
import {
  listProjectRoutes,
  listRouteFacts,
  type PoolFacts,
  releasePools,
  type RouteFacts,
  type RouteKey,
  settingsPath
} from './routes.repository.ts'
import { proxyEndpoints } from './slot-endpoint.service.ts'
import { syncTcpRoutes } from './tcp-routing.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'network' | 'proxy'>
type EndpointOf = ReturnType<typeof proxyEndpoints>

const waitMs = 15_000

/** Reads and applies under one lock, so that no process applies routes that are older than a switch. */
export const withRoutes = <T>(deps: Pick<Deps, 'db'>, work: () => Promise<T>): Promise<T> =>
  withLock(deps.db, 'routes', { waitMs, ifHeld: refuse }, work)

const refuse = () => {
  throw new AppError('REVERSE_PROXY_UNAVAILABLE', 'Timed out waiting for another route update', {
    remedy: 'TRY_AGAIN'
  })
}

const RouteKeys = z.array(z.object({ hostname: z.string().max(255), pathPrefix: z.string().max(255).nullable() }))

/** Removes deleted routes too. The cost does not depend on the number of other routes. */
export const applyRoutes = workerVerb('domains.applyRoutes', [RouteKeys], applyRoutesHere)

async function applyRoutesHere(deps: Deps, keys: readonly RouteKey[]): Promise<void> {
  if (keys.length === 0) return
  await withRoutes(deps, async () => {
    const hostnames = [...new Set(keys.map((key) => key.hostname))]
    const read = await withConnection(deps.db, (db) => listRouteFacts(db, hostnames))
    const known = new Map(read.map((facts) => [nameOf(facts), facts]))
    // Adding or removing a path changes who gets the rest of its host.
    const wholes = hostnames.map((hostname) => ({ hostname, pathPrefix: null }))
    const endpointOf = proxyEndpoints(deps)
    for (const pool of await poolsOf(endpointOf, read)) await deps.proxy.setPool(pool)
    const own = ownHostnames(deps.config)
    // The autoconfiguration path follows its host's HTTPS setting.
    const settings = [...known.values()].filter(({ pathPrefix }) => pathPrefix === settingsPath)
    for (const key of new Map([...keys, ...wholes, ...settings].map((key) => [nameOf(key), key])).values()) {
      const facts = known.get(nameOf(key))
      if (own.includes(key.hostname)) await deps.proxy.set(await ownRoute(deps, key.hostname))
      else if (facts) await deps.proxy.set(await toRoute(endpointOf, facts))
      else await deps.proxy.remove(key.hostname, key.pathPrefix ?? undefined)
    }
    // The proxy would find its instances unhealthy, also for a while after they wake.
    for (const { project } of read)
      if (project?.isAsleep && project.pool) await deps.proxy.setPool({ ...project.pool, members: [] })
    await syncTcpRoutes(deps)
  })
}

/** After a change of published ports only. */
export const applyTcpRoutes = workerVerb('domains.applyTcpRoutes', [], (deps: Deps) =>
  withRoutes(deps, () => syncTcpRoutes(deps))
)

export async function applyProjectRoutes(deps: Deps, projectId: string): Promise<void> {
  await applyRoutes(deps, await listProjectRoutes(deps.db, [projectId]))
}

/** Same, but logs failures and leaves them to the reconciler. Resolves with whether the routes were applied. */
export async function tryApplyRoutes(
  deps: Deps & Pick<Dependencies, 'logger'>,
  keys: readonly RouteKey[]
): Promise<boolean> {
  try {
    await applyRoutes(deps, keys)
    return true
  } catch (error) {
    deps.logger.warn({ error: messageOf(error), routes: keys.map(nameOf) }, 'Could not apply routes')
    return false
  }
}

export async function syncAllRoutes(deps: Deps): Promise<boolean> {
  return withRoutes(deps, async () => {
    const own = ownHostnames(deps.config)
    const routes = await Promise.all(own.map((hostname) => ownRoute(deps, hostname)))
    const known = new Map((await listRouteFacts(deps.db)).map((facts) => [nameOf(facts), facts]))
    const endpointOf = proxyEndpoints(deps)
    for (const facts of known.values()) if (!own.includes(facts.hostname)) routes.push(await toRoute(endpointOf, facts))
    const pools = await poolsOf(endpointOf, [...known.values()])
    for (const pool of pools) await deps.proxy.setPool(pool)
    const hasChanged = await deps.proxy.sync(routes)
    // Only now does no route name the others.
    const hasEmptied = await deps.proxy.syncPools(pools)
    await releasePools(deps.db)
    const hasChangedPorts = await syncTcpRoutes(deps)
    return hasChanged || hasEmptied || hasChangedPorts
  })
}

async function poolsOf(endpointOf: EndpointOf, routes: readonly RouteFacts[]): Promise<InstancePool[]> {
  const pools = new Map(
    routes.flatMap(({ project }) =>
      project?.pool && !project.isAsleep ? [[project.pool.number, project.pool] as const] : []
    )
  )
  return Promise.all([...pools.values()].map((pool) => toPool(endpointOf, pool)))
}

const toPool = async (endpointOf: EndpointOf, { number, isSticky, slots }: PoolFacts): Promise<InstancePool> => ({
  number,
  isSticky,
  members: (await Promise.all(slots.map(endpointOf))).filter((member) => member !== undefined)
})

const nameOf = ({ hostname, pathPrefix }: RouteKey): string => `${hostname}${pathPrefix ?? ''}`

async function toRoute(endpointOf: EndpointOf, facts: RouteFacts): Promise<Route> {
  // Queries the engine only if there is a container, so that static pages work without it. A site on a machine that was
  // never reached shows the notice of a stopped one.
  const slot = facts.project?.slot
  return routeOf(facts, slot ? await endpointOf(slot) : undefined)
}
