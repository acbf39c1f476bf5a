import type { Queryable } from '../../db/database.ts'
import { readMailDomain } from './mail-domains.repository.ts'
import { servedDomain } from './served-domain.policy.ts'

/** As itself, as one of its aliases, or as any address of a catch-all that it receives. */
export async function maySendAs(db: Queryable, mailbox: string, address: string): Promise<boolean> {
  const plain = address.replace(/\+[^@]*/, '')
  if (plain === mailbox) return true
  const at = plain.lastIndexOf('@')
  const localPart = plain.slice(0, at)
  const contents = await readMailDomain(db, plain.slice(at + 1))
  const domain = contents && servedDomain(contents)
  if (!domain || domain.mailboxes.some((other) => other.localPart === localPart)) return false
  const find = (wanted: string | undefined) => domain.aliases.find((alias) => alias.localPart === wanted)
  return (find(localPart) ?? find(undefined))?.senders?.includes(mailbox) ?? false
}
