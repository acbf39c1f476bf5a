import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { listRecordsNamed } from '../dns-zones/zone-access.ts'
import type { DomainRow } from '../feature.ts'
import { dkimName } from './dkim-record.policy.ts'
import { isManaged } from './records.service.ts'
import { nextSelector } from './selector.policy.ts'

/** Key pair with an encrypted private key. */
export interface SealedKey {
  publicKey: string
  encryptedPrivateKey: string
  keyLength: number
}

// Key generation takes most of a second of CPU time. The worker runs it, one at a time.
const oneAtATime = createSemaphore(1)

export const makeSealedKey = workerVerb('mailAuth.makeKey', [], makeHere)

async function makeHere({ mailSigner, secretBox }: Pick<Dependencies, 'mailSigner' | 'secretBox'>): Promise<SealedKey> {
  const { publicKey, privateKey, keyLength } = await oneAtATime(() => mailSigner.makeKey())
  return { publicKey, encryptedPrivateKey: secretBox.seal(privateKey), keyLength }
}

export const newKey = (
  { id, userId }: DomainRow,
  selector: string,
  sealed: SealedKey,
  { now, signsSince }: { now: Date; signsSince: Date | null }
) => ({
  id: newId(now.getTime()),
  domainId: id,
  userId,
  selector,
  status: 'ACTIVE' as const,
  ...sealed,
  signsSince,
  createdAt: now
})

/** A selector that no key of the domain has used and that has no record in the zone. */
export async function freeSelector(
  trx: Transaction,
  domain: DomainRow,
  preferred: string | undefined,
  had: ReadonlySet<string>,
  now: Date
): Promise<string> {
  const taken = new Set(had)
  for (let selector = preferred ?? nextSelector(now, taken); ; selector = nextSelector(now, taken)) {
    const name = `${dkimName(selector)}.${domain.hostname}`
    const isFree = !isManaged(domain) || (await listRecordsNamed(trx, [domain.zoneId], [name])).length === 0
    if (!taken.has(selector) && isFree) return selector
    taken.add(selector)
  }
}
