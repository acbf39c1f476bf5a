import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DomainRow } from '../feature.ts'
import { markOpened } from './mail-domains.repository.ts'

/**
 * Tells every feature that the domain has got its first mailbox. What one cannot do is lost on no other, and on no mailbox: it is asked
 * once, and again only where a process ended before, this one or the one that does the work.
 */
export async function openDomain(deps: Dependencies, domain: DomainRow): Promise<void> {
  let isCutOff = false
  for (const { name, domain: hooks } of deps.features)
    await hooks?.firstMailbox?.(deps, domain).catch((error: unknown) => {
      isCutOff ||= asAppError(error)?.code === 'WORKER_UNAVAILABLE'
      deps.logger.warn(
        { feature: name, domain: domain.hostname, error: messageOf(error) },
        'first mailbox not followed'
      )
    })
  // The worker that comes next does it (mail.reconcile.ts).
  if (!isCutOff) await markOpened(deps.db, domain.id)
}
