import type { Queryable } from '../../db/database.ts'
import { followAliases } from '../mailboxes/mailbox-access.ts'
import { listMailDomainsAmong } from './mail-limits.repository.ts'

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** To how many addresses elsewhere a message to this one goes on by aliases. */
export async function countForwarded(db: Queryable, recipient: string): Promise<number> {
  const reached = await followAliases(db, [recipient.toLowerCase()])
  if (reached.length === 0) return 0
  const ours = new Set(await listMailDomainsAmong(db, [...new Set(reached.map(domainOf))]))
  return reached.filter((address) => !ours.has(domainOf(address))).length
}
