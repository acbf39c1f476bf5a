import type {
  CreateDomain,
  CreatedDomain,
  Domain,
  DomainQuery,
  SubdomainQuery,
  UpdateDomain
} from '@panel/contract/domains'
import type { Dependencies } from '../../dependencies.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnProject } from '../projects/project-access.ts'
import { runEffects } from '../hooks.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { correctDeployedDomains } from './deployed-domain.repository.ts'
import { getOwnDomain, lockOwnDomain } from './domain-access.ts'
import { hostnameExists, insertNewDomain } from './domain-creation.service.ts'
import { removeDomainTree, tryApplyRemoval } from './domain-removal.service.ts'
import { domainView, domainDetailView } from './domain-view.ts'
import {
  type DomainRow,
  findCertificateFacts,
  listDomains as findDomains,
  listSubdomains as findSubdomains,
  updateDomain
} from './domains.repository.ts'
import { tryApplyRoutes } from './routing.service.ts'

export async function createDomain(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  input: CreateDomain
): Promise<CreatedDomain> {
  const domain = await accountTransaction(deps.db, userId, async (trx) => {
    const created = await insertNewDomain(deps, trx, userId, input)
    const { id, hostname, status } = created
    await recordAudit(deps, trx, origin, {
      action: 'domain.created',
      actorId: userId,
      targetId: id,
      metadata: { hostname, status }
    })
    return created
  })
  await tryApplyDomain(deps, domain)
  return domainDetailView(deps, domain, null)
}

export async function tryApplyDomain(deps: Dependencies, domain: DomainRow): Promise<void> {
  if (domain.status !== 'ACTIVE') return
  const effects = deps.features.map(({ name, domain: hooks }) => ({
    feature: name,
    run: async () => hooks?.apply?.(deps, domain)
  }))
  await Promise.all([tryApplyRoutes(deps, [domain]), runEffects(deps, effects)])
}

export async function listDomains(
  deps: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  query: DomainQuery
): Promise<{ domains: Domain[]; total: number }> {
  const { rows, total } = await findDomains(deps.db, userId, query)
  return { domains: rows.map(({ domain, certificate }) => domainView(domain, certificate, deps.now())), total }
}

export async function getDomain(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  userId: string,
  id: string
): Promise<CreatedDomain> {
  const domain = await getOwnDomain(deps.db, id, userId)
  return domainDetailView(deps, domain, await findCertificateFacts(deps.db, id))
}

export async function listSubdomains(
  deps: Pick<Dependencies, 'db' | 'now'>,
  userId: string,
  id: string,
  query: SubdomainQuery
): Promise<{ domains: Domain[]; total: number }> {
  await getOwnDomain(deps.db, id, userId)
  const { rows, total } = await findSubdomains(deps.db, id, query)
  return { domains: rows.map(({ domain, certificate }) => domainView(domain, certificate, deps.now())), total }
}

export async function changeDomain(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: UpdateDomain
): Promise<Domain> {
  const { before, after, certificate } = await accountTransaction(deps.db, userId, async (trx) => {
    const [before] = await Promise.all([
      lockOwnDomain(trx, id, userId),
      input.projectId != null && getOwnProject(trx, input.projectId, userId)
    ])
    const { projectId = before.projectId, pathPrefix = before.pathPrefix } = input
    const values = { projectId, pathPrefix }
    const [after, certificate] = await Promise.all([
      updateDomain(trx, id, values, deps.now()),
      findCertificateFacts(trx, id),
      recordAudit(deps, trx, origin, {
        action: 'domain.updated',
        actorId: userId,
        targetId: id,
        metadata: { hostname: before.hostname, before: routeOf(before), after: values }
      })
    ])
    return { before, after, certificate }
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'domains_route_key') || isUniqueViolation(error, 'domains_claim_key')
      ? hostnameExists(`This hostname with the path ${input.pathPrefix ?? '/'}`)
      : error
  })
  await Promise.all([
    after.projectId !== before.projectId && correctDeployedDomains(deps.db, deps.now(), [before.projectId]),
    after.status === 'ACTIVE' && tryApplyRoutes(deps, [before, after])
  ])
  return domainView(after, certificate, deps.now())
}

const routeOf = ({ projectId, pathPrefix }: DomainRow) => ({ projectId, pathPrefix })

export async function deleteDomain(deps: Dependencies, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  const removal = await accountTransaction(deps.db, userId, async (trx) => {
    const { hostname } = await lockOwnDomain(trx, id, userId)
    const removal = await removeDomainTree(deps, trx, id)
    await recordAudit(deps, trx, origin, {
      action: 'domain.deleted',
      actorId: userId,
      targetId: id,
      metadata: { hostname, routes: removal.routes.length }
    })
    return removal
  })
  await tryApplyRemoval(deps, removal)
}
