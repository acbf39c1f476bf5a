import type { MailSyncResult } from '@panel/contract/mailboxes'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { applyMailDomain } from './mail-apply.service.ts'
import { refuseWithoutMail } from './mail-domain-access.ts'
import { listMailDomainsOf } from './mail-domains.repository.ts'
import { countMailboxesNamed } from './mailboxes.repository.ts'

// Each run rewrites all mail files of an account.
const syncLimit = createConcurrencyLimit({ total: 4, perKey: 1, what: 'synchronizations of mail' })

/** Sends all mail domains of the account to the mail servers again. */
export async function syncMail(deps: Dependencies, origin: AuditOrigin, userId: string): Promise<MailSyncResult> {
  refuseWithoutMail(deps)
  return syncLimit.run(userId, async () => {
    const names = await listMailDomainsOf(deps.db, userId)
    const synced: string[] = []
    let firstFailure: unknown
    for (const name of names)
      await applyMailDomain(deps, name).then(
        () => synced.push(name),
        (error: unknown) => {
          firstFailure ??= error
          deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'mail domain sync failed')
        }
      )
    if (synced.length === 0 && firstFailure !== undefined) throw firstFailure
    await recordAuditAlone(deps, origin, {
      action: 'mail.synced',
      actorId: userId,
      targetId: userId,
      metadata: { domains: synced.length, of: names.length }
    })
    return {
      success: synced.length === names.length,
      syncedCount: synced.length,
      domains: synced,
      mailboxesSynced: await countMailboxesNamed(deps.db, userId, synced)
    }
  })
}
