import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { isHostname } from '../../net/hostname.ts'
import { type DomainRow, insertDomain, listActiveDomains } from './domains.repository.ts'
import { reserveForAccount } from './host-names.repository.ts'

/**
 * Hosts at which the panel itself serves mail clients and servers: domain rows that do not count in quota or lists.
 * Skips names that are taken. The caller holds the account lock. Resolves with the added rows.
 */
export async function addMailHosts(
  { config, now }: Pick<Dependencies, 'config' | 'now'>,
  trx: Transaction,
  { id, userId, hostname }: DomainRow,
  labels: readonly string[]
): Promise<DomainRow[]> {
  const names = labels
    .map((label) => `${label}.${hostname}`)

    .filter((name) => isHostname(name) && name !== config.PANEL_DOMAIN && !config.DNS_NAMESERVERS.includes(name))
  const taken = new Set((await listActiveDomains(trx, names)).map((row) => row.hostname))
  const added: DomainRow[] = []
  for (const name of names) {
    if (taken.has(name) || !(await reserveForAccount(trx, userId, name))) continue
    const at = now()
    const row = await insertDomain(trx, {
      id: newId(at.getTime()),
      userId,
      hostname: name,
      status: 'ACTIVE',
      parentId: id,
      isMailHost: true,
      probeAt: at,
      verifiedAt: at,
      createdAt: at,
      updatedAt: at
    })
    if (row) added.push(row)
  }
  return added
}
