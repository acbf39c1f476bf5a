import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { isHostname } from '../../net/hostname.ts'
import { messageOf } from '../../text/message-of.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withMailDomainLock } from '../mailboxes/mail-domain-access.ts'
import { evictAppliedSpam, markSpamApplied, readSpamSettings } from './mail-spam.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'mailFilter'>

const coalesce = createCoalescer()

const DomainName = z.string().refine(isHostname)

/** Takes a name, since settings of deleted domains must be removed too. */
const applySpam = workerVerb('mailSpam.apply', [DomainName], applySpamHere)

async function applySpamHere({ db, mailFilter }: Deps, name: string): Promise<void> {
  await coalesce(mailFilter, `spam settings of ${name}`, () =>
    withMailDomainLock(db, name, async (lost) => {
      const row = await readSpamSettings(db, name)
      try {
        if (!row) return await mailFilter.removeSettings(name)
        const { isEnabled, junkScore, refuseScore, isGreylisting, allow, deny } = row
        await mailFilter.putSettings({ domain: name, isEnabled, junkScore, refuseScore, isGreylisting, allow, deny })
        await markSpamApplied(db, row.domainId, row.revision)
      } finally {
        // Lost the lock: another process may have applied a newer revision before ours. Apply again.
        if (lost.aborted) await evictAppliedSpam(db, [name])
      }
    })
  )
}

/** For committed changes: the reconcile loop retries failures. */
export async function tryApplySpam(deps: Deps & Pick<Dependencies, 'logger'>, name: string): Promise<void> {
  try {
    await applySpam(deps, name)
  } catch (error) {
    deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'spam settings not applied yet')
  }
}
