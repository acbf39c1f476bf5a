import type { Dependencies } from '../../dependencies.ts'
import { asAppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DomainRow } from '../feature.ts'
import { markOpened } from './mail-domains.repository.ts'

/** A failed hook is not retried. All run again only if the process or its worker ended in between. */
export async function openDomain(deps: Dependencies, domain: DomainRow): Promise<void> {
  let isCutOff = false
  for (const { name, domain: hooks } of deps.features)
    await hooks?.firstMailbox?.(deps, domain).catch((error: unknown) => {
      isCutOff ||= asAppError(error)?.code === 'WORKER_UNAVAILABLE'
      deps.logger.warn({ feature: name, domain: domain.hostname, error: messageOf(error) }, 'first-mailbox hook failed')
    })
  // Otherwise the next worker runs them again (mail.reconcile.ts).
  if (!isCutOff) await markOpened(deps.db, domain.id)
}
