import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../errors.ts'
import type { Route } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { type HostnameFacts, listHostnameFacts, listHostnames } from './host-names.repository.ts'
import { routeOf } from './route.policy.ts'
import { slotAddress } from './slot-address.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'proxy' | 'network'>

/** The address of a slot's container. */
export async function addressOfSlot(deps: Pick<Deps, 'config' | 'network'>, slotPort: number): Promise<string> {
  return slotAddress((await deps.network()).subnet, deps.config.DEPLOY_PORT_RANGE_START, slotPort)
}

/** Brings the proxy to what the store says of these host names: also of ones that are gone. Independent of how many others there are. */
export async function applyHostnames(deps: Deps, hostnames: readonly string[]): Promise<void> {
  if (hostnames.length === 0) return
  await inTurn(deps.proxy, async () => {
    const known = new Map((await listHostnameFacts(deps.db, hostnames)).map((facts) => [facts.hostname, facts]))
    for (const hostname of hostnames) {
      const facts = known.get(hostname)
      if (facts) await deps.proxy.set(await toRoute(deps, facts))
      else await deps.proxy.remove(hostname)
    }
  })
}

export async function applyProjectRoutes(deps: Deps, projectId: string): Promise<void> {
  await applyHostnames(deps, await listHostnames(deps.db, projectId))
}

/** As `applyHostnames`, for a change that is done already: a proxy that is away is told by the reconcile job. Resolves with whether it was told. */
export async function tryApplyHostnames(
  deps: Deps & Pick<Dependencies, 'logger'>,
  hostnames: readonly string[]
): Promise<boolean> {
  try {
    await applyHostnames(deps, hostnames)
    return true
  } catch (error) {
    deps.logger.warn({ error: messageOf(error), hostnames }, 'routes not applied yet')
    return false
  }
}

/** Makes the proxy serve exactly what the store says. */
export async function syncAllRoutes(deps: Deps): Promise<boolean> {
  return inTurn(deps.proxy, async () => {
    const routes: Route[] = []
    for (const facts of await listHostnameFacts(deps.db)) routes.push(await toRoute(deps, facts))
    if (deps.config.PANEL_DOMAIN)
      routes.push({ hostname: deps.config.PANEL_DOMAIN, target: { kind: 'panel' }, forceHttps: false })
    return deps.proxy.sync(routes)
  })
}

const turns = new WeakMap<object, Promise<unknown>>()

/** What was read before a switch must not reach the proxy after it: reading and applying are one turn. */
function inTurn<T>(proxy: Deps['proxy'], work: () => Promise<T>): Promise<T> {
  const result = (turns.get(proxy) ?? Promise.resolve()).then(work)
  turns.set(
    proxy,
    result.catch(() => {}) // The caller has the same failure in `result`.
  )
  return result
}

async function toRoute(deps: Pick<Deps, 'config' | 'network'>, facts: HostnameFacts): Promise<Route> {
  // The network is only asked for when a container is routed, so that pages are served without an engine too.
  const address = facts.slotPort === null ? '' : await addressOfSlot(deps, facts.slotPort)
  return routeOf(facts, () => address)
}
