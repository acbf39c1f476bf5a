import type { Queryable, Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { listMailHostsBelow } from '../domains/domain-access.ts'
import { addMailHosts as addHosts } from '../domains/mail-hosts.service.ts'
import { settingsPath } from '../domains/project-route-access.ts'
import { tryApplyRoutes } from '../domains/routing.service.ts'
import type { DomainRow } from '../feature.ts'
import { type MailHostLabel, mailHostLabels } from './mail-hosts.policy.ts'

type Domain = Pick<DomainRow, 'id' | 'hostname'>

/** Adds missing hosts. The caller holds the account lock. */
export const addMailHosts = (
  deps: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  domain: DomainRow
): Promise<DomainRow[]> => addHosts(deps, trx, domain, mailHostLabels)

export async function listMailHostLabels(
  db: Queryable,
  domains: readonly Domain[]
): Promise<Map<string, Set<MailHostLabel>>> {
  const rows = await listMailHostsBelow(
    db,
    domains.map(({ id }) => id)
  )
  return new Map(
    domains.map(({ id, hostname }) => {
      const own = new Set(rows.filter(({ parentId }) => parentId === id).map((row) => row.hostname))
      return [id, new Set(mailHostLabels.filter((label) => own.has(`${label}.${hostname}`)))]
    })
  )
}

/** Routes the hosts to the panel. Call after the commit. */
export async function applyMailHosts(
  deps: Parameters<typeof tryApplyRoutes>[0],
  { id, hostname }: Domain
): Promise<void> {
  const hosts = await listMailHostsBelow(deps.db, [id])
  await tryApplyRoutes(deps, [...hosts, { hostname, pathPrefix: settingsPath }])
}
