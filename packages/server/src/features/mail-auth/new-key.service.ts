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

/** A key as it is kept: the part that signs is sealed. */
export interface SealedKey {
  publicKey: string
  encryptedPrivateKey: string
  keyLength: number
}

// Each takes a good part of a second of a processor. Per process, as that is: whoever asks beside waits.
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

/** One that no key has had, and at which nobody's record stands: it would be in the way of ours. */
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
