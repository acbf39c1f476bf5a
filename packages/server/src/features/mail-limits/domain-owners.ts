import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { findOwnerOfMailDomain } from './mail-limits.repository.ts'

const knownForMs = 60_000
const maxKnown = 10_000

/** Says whose a domain of mail is, by its id; undefined where that is not known, or the store is away. */
export function createDomainOwners({ db, logger }: Pick<Dependencies, 'db' | 'logger'>) {
  const owners = new Map<string, { id: string | undefined; at: number }>()
  return async (domain: string, now: number): Promise<string | undefined> => {
    const known = owners.get(domain)
    if (known && now - known.at < knownForMs) return known.id
    const found = await findOwnerOfMailDomain(db, domain).catch((error: unknown) => {
      logger.warn({ mailDomain: domain, error: messageOf(error) }, 'limits of mail without the account’s')
      return undefined
    })
    if (owners.size >= maxKnown) owners.clear()
    owners.set(domain, { id: found?.id, at: now })
    return found?.id
  }
}
