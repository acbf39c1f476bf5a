import type { DkimKey, DkimRotation } from '@panel/contract/dkim-keys'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { zoneTooLarge } from '../dns-zones/zone-contents.service.ts'
import { tryApplyZones } from '../dns-zones/zones.service.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import type { DomainRow } from '../feature.ts'
import { lockForMail, refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { afterRotation } from './auth-checks.policy.ts'
import { describeKeys } from './dkim-keys.service.ts'
import {
  deleteRetiredKeys,
  type DkimKeyRow,
  findMailAuth,
  insertKey,
  listKeys,
  markKeysChanged,
  moveKey,
  saveChecks
} from './mail-auth.repository.ts'
import { freeSelector, makeSealedKey, newKey } from './new-key.service.ts'
import { isManaged, loadRecords, publishRecords } from './records.service.ts'
import { isPublished } from './signing.policy.ts'
import { tryApplySigning } from './signing.service.ts'

/** Each key has a DNS record and a file at the DKIM signer. */
const maxPublishedKeys = 10
const keptRetiredKeys = 20

/**
 * Replaces the ACTIVE key; its record stays for mail in transit. The new key signs once our name servers publish it,
 * with external DNS at once.
 */
export async function rotateDkimKey(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string
): Promise<DkimRotation> {
  refuseWithoutMail(deps)
  const { hostname } = await getOwnDomain(deps.db, domainId, userId)
  // Check before the expensive key generation.
  requireRotatable(await listKeys(deps.db, domainId), hostname)
  const sealed = await makeSealedKey(deps)
  const { domain, oldId, newId } = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = await lockForMail(deps, trx, domainId, userId)
    const keys = await listKeys(trx, domainId)
    const active = requireRotatable(keys, hostname)
    const now = deps.now()
    const selector = await freeSelector(trx, domain, undefined, new Set(keys.map((key) => key.selector)), now)
    await moveKey(trx, active.id, 'RETIRING', { retiredAt: now })
    const key = newKey(domain, selector, sealed, { now, signsSince: isManaged(domain) ? null : now })
    await insertKey(trx, key)
    await deleteRetiredKeys(trx, domainId, keptRetiredKeys)
    if (isManaged(domain)) {
      // Only this record: do not recreate others that the owner deleted.
      const record = (await loadRecords(deps, trx, domain, [key])).filter(({ purpose }) => purpose === 'DKIM')
      const { refused, tooLarge } = await publishRecords(deps, trx, domain, record)
      if (tooLarge !== undefined) throw zoneTooLarge(hostname, tooLarge)
      const problem = refused.get('DKIM')
      if (problem !== undefined) throw new AppError('DNS_RECORD_CONFLICT', problem)
    } else {
      const auth = await findMailAuth(trx, domainId)
      if (auth?.checks) await saveChecks(trx, domainId, { checks: afterRotation(auth.checks, hostname, selector) })
    }
    await markKeysChanged(trx, domainId)
    await recordAudit(deps, trx, origin, {
      action: 'dkim_key.rotated',
      actorId: userId,
      targetId: domainId,
      metadata: { domain: hostname, from: active.selector, to: selector }
    })
    return { domain, oldId: active.id, newId: key.id }
  })
  if (isManaged(domain)) await tryApplyZones(deps, [domain.zoneId])
  await tryApplySigning(deps, hostname)
  const keys = await describeKeys(deps, domain)
  const [oldKey, newKeyView] = [oldId, newId].map((id) => keys.find((key) => key.id === id)!)
  return { message: messageOf(domain, newKeyView!), oldKey: oldKey!, newKey: newKeyView! }
}

function requireRotatable(keys: readonly DkimKeyRow[], hostname: string): DkimKeyRow {
  const active = keys.find(({ status }) => status === 'ACTIVE')
  if (!active)
    throw new AppError('DKIM_KEY_MISSING', `${hostname} has no DKIM key yet: regenerate its mail records to create one`)
  if (active.signsSince === null)
    throw new AppError(
      'DKIM_KEY_PENDING',
      `The key of the last rotation does not sign yet: the name servers must publish its record first. If the record is missing, regenerate the mail records`
    )
  if (keys.filter(isPublished).length >= maxPublishedKeys)
    throw new AppError(
      'DKIM_KEY_LIMIT',
      `${hostname} has ${maxPublishedKeys} DKIM keys, the maximum: retire the ones you no longer need`
    )
  return active
}

function messageOf(domain: DomainRow, { isSigning, recordName }: DkimKey): string {
  if (!isManaged(domain))
    return `Mail is signed with the new key: add its TXT record ${recordName} now and keep the old record for a week`
  return isSigning
    ? 'Mail is signed with the new key'
    : 'Mail will be signed with the new key once the name servers publish its record'
}
