import type { Dependencies } from '../../dependencies.ts'
import type { Endpoint } from '../../infra/container-engine/container-engine.ts'
import { listSlotsOf } from '../containers/slot-access.ts'
import { siteHostname } from '../domains/hostname.policy.ts'
import { endpointOf } from '../domains/slot-endpoint.service.ts'
import { engineOn } from '../nodes/on-machine.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import { checkHeader } from './maintenance.render.ts'
import { type CheckedPage, checkedPaths, isBrokenPage } from './page-check.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'engine' | 'network' | 'nodeId' | 'nodes'>

const timeoutMs = 60_000
const maxBytes = 1024 * 1024

/** Of the first instance. */
export async function siteEndpoint(
  deps: Pick<Deps, 'config' | 'db' | 'network'>,
  { liveDeploymentId }: Pick<ProjectRow, 'liveDeploymentId'>
): Promise<Endpoint | undefined> {
  const [slot] = liveDeploymentId === null ? [] : await listSlotsOf(deps.db, liveDeploymentId)
  return slot && endpointOf(deps, slot)
}

/** With the key that gets past the maintenance page. */
export async function checkPages(
  deps: Deps,
  project: ProjectRow,
  key: string,
  signal: AbortSignal
): Promise<CheckedPage[]> {
  const endpoint = await siteEndpoint(deps, project)
  if (!endpoint) return []
  const hostname = siteHostname(deps.config, project)
  const headers = { [checkHeader]: key }
  const engine = await engineOn(deps, project.nodeId)
  const pages = await Promise.all(
    checkedPaths.map(async (path) => {
      const found = await engine.readPage(endpoint, { path, hostname, headers, timeoutMs, maxBytes, signal })
      return { path, status: found?.status ?? 0, isBroken: found !== undefined && isBrokenPage(found.body) }
    })
  )
  signal.throwIfAborted()
  return pages
}
