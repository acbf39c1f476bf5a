import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { findOwnerOfMailDomain } from './mail-limits.repository.ts'

const knownForMs = 60_000
const maxKnown = 10_000

export function createDomainOwners({ db, logger }: Pick<Dependencies, 'db' | 'logger'>) {
  const owners = new Map<string, { id: string | undefined; at: number }>()
  return async (domain: string, now: number): Promise<string | undefined> => {
    const known = owners.get(domain)
    if (known && now - known.at < knownForMs) return known.id
    const found = await findOwnerOfMailDomain(db, domain).catch((error: unknown) => {
      logger.warn({ mailDomain: domain, error: messageOf(error) }, 'account limit not applied: owner lookup failed')
      return undefined
    })
    if (owners.size >= maxKnown) owners.clear()
    owners.set(domain, { id: found?.id, at: now })
    return found?.id
  }
}
