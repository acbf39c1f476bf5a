import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import type { DomainRow } from '../feature.ts'
import { markOpened } from './mail-domains.repository.ts'

/**
 * Tells every feature that the domain has got its first mailbox. What one cannot do is lost on no other, and on no mailbox: it is asked
 * once, and again only where the process ended before.
 */
export async function openDomain(deps: Dependencies, domain: DomainRow): Promise<void> {
  for (const { name, domain: hooks } of deps.features)
    await hooks
      ?.firstMailbox?.(deps, domain)
      .catch((error: unknown) =>
        deps.logger.warn(
          { feature: name, domain: domain.hostname, error: messageOf(error) },
          'first mailbox not followed'
        )
      )
  await markOpened(deps.db, domain.id)
}
