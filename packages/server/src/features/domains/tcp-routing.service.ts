import { publishedPorts } from '../../config/tcp-ports.ts'
import { withConnection } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { TcpRoute } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { ownHostnames } from './panel-name.service.ts'
import { proxyEndpoints } from './slot-endpoint.service.ts'
import { listNamesUnder, listOpenPorts, listWholeNames } from './tcp-routes.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'instanceId' | 'network' | 'proxy'>

/**
 * Sets the published TCP ports and TLS names to those of the rows. The caller holds the lock of the routes. Resolves with
 * whether anything changed.
 */
export async function syncTcpRoutes(deps: Deps): Promise<boolean> {
  const { config } = deps
  // The running proxy knows no map of ports that it does not serve.
  if (publishedPorts(config).length === 0) return false
  return deps.proxy.syncTcp(await withConnection(deps.db, (db) => listTcpRoutes({ ...deps, db })))
}

async function listTcpRoutes(deps: Omit<Deps, 'db'> & { db: Parameters<typeof listOpenPorts>[0] }) {
  const endpointOf = proxyEndpoints(deps)
  const routes: TcpRoute[] = []
  const named = new Map<string, TcpRoute['target']>()
  for (const { projectId, publishedPort, slot } of await listOpenPorts(deps.db)) {
    const target = await endpointOf(slot)
    if (!target) continue
    if (publishedPort === null) named.set(projectId, target)
    else routes.push({ at: publishedPort, target })
  }
  // The panel serves these itself, also where an administrator added them as domains.
  const own = ownHostnames(deps.config)
  const names = (await listWholeNames(deps.db, [...named.keys()])).filter(({ hostname }) => !own.includes(hostname))
  const served = new Set(names.map(({ hostname }) => hostname))
  const wildcards = [...served].filter((hostname) => hostname.startsWith('*.'))
  const others = new Set([...(await listNamesUnder(deps.db, wildcards)), ...own])
  return [
    ...routes,
    ...names.map(({ projectId, hostname }) => ({ at: hostname, target: named.get(projectId)! })),
    // Another project, perhaps of another account, has this name.
    ...[...others].filter((hostname) => !served.has(hostname)).map((hostname) => ({ at: hostname }))
  ]
}
