import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { correctDeployedDomains } from './deployed-domain.repository.ts'
import {
  deleteDomains,
  detachFromProject,
  type DomainRow,
  listActiveDomains,
  listTree,
  byId,
  byUser
} from './domains.repository.ts'
import { releaseHostnames } from './host-names.repository.ts'
import type { RouteKey } from './routes.repository.ts'
import { applyRoutes } from './routing.service.ts'

/** State outside the database to clean up after a removal: routes, and facts that features have added. */
interface Removal {
  routes: RouteKey[]
  projectIds?: string[]
  [fact: string]: unknown
}

export async function removeDomainTree(deps: Dependencies, trx: Transaction, id: string): Promise<Removal> {
  return removeRows(deps, trx, await listTree(trx, byId(id)))
}

export async function removeDomainsOf(deps: Dependencies, trx: Transaction, userId: string): Promise<Removal> {
  return removeRows(deps, trx, await listTree(trx, byUser(userId)))
}

/** Verification, certificate and zone belong to the account, so domains outlive their project. */
export async function detachOnProjectDeletion(
  { now }: Pick<Dependencies, 'now'>,
  trx: Transaction,
  projectId: string
): Promise<Removal> {
  const detached = await detachFromProject(trx, projectId, now())
  return { routes: detached.map(routeKeyOf) }
}

export async function applyRemoval(deps: Dependencies, removal: Removal): Promise<void> {
  const parts = deps.features.map((feature) => feature.domain?.applyRemoval?.(deps, removal))
  const corrected = correctDeployedDomains(deps.db, deps.now(), removal.projectIds ?? [])
  const results = await Promise.allSettled([applyRoutes(deps, removal.routes), corrected, ...parts])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Same, but logs failures and leaves them to the reconciler. */
export async function tryApplyRemoval(deps: Dependencies, removal: Removal): Promise<void> {
  await applyRemoval(deps, removal).catch((error: unknown) =>
    deps.logger.warn({ error: messageOf(error) }, 'Could not apply domain removal')
  )
}

async function removeRows(deps: Dependencies, trx: Transaction, rows: readonly DomainRow[]): Promise<Removal> {
  if (rows.length === 0) return { routes: [] }
  let facts = {}
  for (const { domain } of deps.features.toReversed())
    facts = { ...facts, ...(await domain?.deleting?.(deps, trx, rows)) }
  const ids = rows.map((row) => row.id)
  await deleteDomains(trx, ids)
  const verified = rows.filter((row) => row.status === 'ACTIVE')
  await releaseUnused(trx, verified)
  const projectIds = [...new Set(verified.flatMap(({ projectId }) => projectId ?? []))]
  return { ...facts, routes: verified.map(routeKeyOf), projectIds }
}

async function releaseUnused(trx: Transaction, removed: readonly DomainRow[]): Promise<void> {
  const names = [...new Set(removed.map((row) => row.hostname))]
  const left = new Set((await listActiveDomains(trx, names)).map((row) => row.hostname))
  await releaseHostnames(
    trx,
    names.filter((name) => !left.has(name))
  )
}

const routeKeyOf = ({ hostname, pathPrefix }: DomainRow): RouteKey => ({ hostname, pathPrefix })
