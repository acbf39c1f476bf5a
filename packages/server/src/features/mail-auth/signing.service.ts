import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { isHostname } from '../../net/hostname.ts'
import { messageOf } from '../../text/message-of.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withMailDomainLock } from '../mailboxes/mail-domain-access.ts'
import { dkimName } from './dkim-record.policy.ts'
import {
  beginSigning,
  evictAppliedSigning,
  markSigningApplied,
  readSigning,
  type Signing
} from './mail-auth.repository.ts'
import { isManaged } from './records.service.ts'
import { isAnswered, signingKey } from './signing.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'mailSigner' | 'nameServers' | 'now' | 'secretBox'>

const coalesce = createCoalescer()

const DomainName = z.string().refine(isHostname)

/**
 * Activates a new key once our name servers publish it, and sends the domain's keys to the DKIM signer. Takes a name,
 * since keys of deleted domains must be removed too. Rejects with MAIL_UNAVAILABLE; completed steps are kept.
 */
export const applySigning = workerVerb('mailAuth.apply', [DomainName], applySigningHere)

async function applySigningHere(deps: Deps, name: string): Promise<void> {
  await beginWithAnsweredKey(deps, name)
  await coalesce(deps.mailSigner, `keys of ${name}`, () =>
    withMailDomainLock(deps.db, name, async (lost) => {
      const found = await readSigning(deps.db, name)
      if (found && found.auth.appliedRevision === found.auth.revision) return
      try {
        await put(deps, name, found)
        if (found) await markSigningApplied(deps.db, found.domain.id, found.auth.revision)
      } finally {
        // Lost the lock: another process may have applied a newer revision before ours. Apply again.
        if (lost.aborted) await evictAppliedSigning(deps.db, [name])
      }
    })
  )
}

/** For committed changes: the reconcile loop retries if the signer is unavailable. */
export async function tryApplySigning(deps: Deps & Pick<Dependencies, 'logger'>, name: string): Promise<void> {
  try {
    await applySigning(deps, name)
  } catch (error) {
    deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'DKIM keys not applied yet')
  }
}

/** Until the record is published, the previous key signs: receivers would cache "no such key" for an hour. */
async function beginWithAnsweredKey({ db, nameServers, now }: Deps, name: string): Promise<void> {
  const found = await readSigning(db, name)
  const key = found?.keys.find(({ status, signsSince }) => status === 'ACTIVE' && signsSince === null)
  if (!found || !key) return
  // External DNS: start at once.
  if (isManaged(found.domain)) {
    const lookups = await nameServers.lookUp(`${dkimName(key.selector)}.${name}`, 'TXT')
    if (!isAnswered(lookups, key.publicKey)) return
  }
  await db.transaction((trx) => beginSigning(trx, key, now()))
}

async function put({ mailSigner, secretBox }: Deps, name: string, found: Signing | undefined): Promise<void> {
  const signing = found && signingKey(found.keys)
  if (!signing) return mailSigner.removeKeys(name)
  const keys = found.keys.map(({ selector, encryptedPrivateKey }) => ({
    selector,
    privateKey: secretBox.open(encryptedPrivateKey)
  }))
  await mailSigner.putKeys({ domain: name, keys, signsWith: signing.selector })
}
