import type { DkimKey } from '@panel/contract/dkim-keys'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { removeRecords } from '../dns-records/record-access.ts'
import { listRecordsNamed, lockZone, markZoneChanged } from '../dns-zones/zone-access.ts'
import { tryApplyZones } from '../dns-zones/zones.service.ts'
import { lockForMail, refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { getOwnKey } from './dkim-key-access.ts'
import { carriesKey, dkimName } from './dkim-record.policy.ts'
import { describeKeys } from './dkim-keys.service.ts'
import { type DkimKeyRow, listKeys, markKeysChanged, moveKey } from './mail-auth.repository.ts'
import { isManaged } from './records.service.ts'
import { retirementProblem } from './signing.policy.ts'
import { tryApplySigning } from './signing.service.ts'

export async function retireDkimKey(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { domainId, keyId, force }: { domainId: string; keyId: string; force: boolean }
): Promise<DkimKey> {
  refuseWithoutMail(deps)
  await getOwnKey(deps.db, domainId, keyId, userId)
  const domain = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = await lockForMail(deps, trx, domainId, userId)
    const key = await getOwnKey(trx, domainId, keyId, userId)
    if (key.status === 'RETIRED') return domain
    requireRetirable(key, await listKeys(trx, domainId), deps.now(), force)
    await moveKey(trx, keyId, 'RETIRED', { encryptedPrivateKey: '' })
    if (isManaged(domain)) {
      await lockZone(trx, domain.zoneId)
      const name = `${dkimName(key.selector)}.${domain.hostname}`
      const own = (await listRecordsNamed(trx, [domain.zoneId], [name])).filter(
        ({ type, value }) => type === 'TXT' && carriesKey(value, key.publicKey)
      )
      await removeRecords(
        trx,
        own.map(({ id }) => id)
      )
      if (own.length > 0) await markZoneChanged(trx, domain.zoneId, deps.now())
    }
    await markKeysChanged(trx, domainId)
    await recordAudit(deps, trx, origin, {
      action: 'dkim_key.retired',
      actorId: userId,
      targetId: domainId,
      metadata: { domain: domain.hostname, selector: key.selector, force }
    })
    return domain
  })
  if (isManaged(domain)) await tryApplyZones(deps, [domain.zoneId])
  await tryApplySigning(deps, domain.hostname)
  return (await describeKeys(deps, domain)).find(({ id }) => id === keyId)!
}

const problems = {
  ACTIVE: 'This key is active: rotate it first',
  SIGNING: 'This key signs mail until the name servers publish the new one',
  MAIL_UNDER_WAY:
    'Mail signed with this key in the last week may still be in transit and would fail verification. Wait, or force it.'
} as const

function requireRetirable(key: DkimKeyRow, keys: readonly DkimKeyRow[], now: Date, force: boolean): void {
  const problem = retirementProblem(key, keys, now)
  if (problem === undefined || (problem === 'MAIL_UNDER_WAY' && force)) return
  throw new AppError('DKIM_KEY_IN_USE', problems[problem])
}
