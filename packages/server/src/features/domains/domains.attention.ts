import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listUnverifiedDomains } from './attention.repository.ts'

export const unverifiedDomains: AttentionSource = {
  list: async ({ db }, { id }) =>
    foundIn(await listUnverifiedDomains(db, id), ({ id: domainId, status, hostname, pathPrefix, since }) =>
      attentionItem(
        status === 'ERROR' ? 'DOMAIN_ERROR' : 'DOMAIN_NOT_VERIFIED',
        'domain',
        domainId,
        `${hostname}${pathPrefix ?? ''}`,
        { since }
      )
    )
}
