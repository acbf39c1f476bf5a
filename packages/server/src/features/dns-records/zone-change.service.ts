import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { requireCapacity, sizeOfZone } from '../dns-zones/zone-contents.service.ts'
import { lockZone, type ZoneRow } from '../dns-zones/zone-access.ts'
import { tryApplyZones } from '../dns-zones/zones.service.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { lockUser } from '../users/account-access.ts'
import { getManagedDomain, type ManagedDomain } from './record-access.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'dnsServer' | 'logger'>

export interface ZoneChange {
  trx: Transaction
  domain: ManagedDomain
  zone: ZoneRow
}

/** The change must call markZoneChanged if it wrote anything. The reconciler retries a failed apply. */
export async function changeZone<T>(
  deps: Deps,
  userId: string,
  domainId: string,
  change: (zone: ZoneChange) => Promise<T>
): Promise<T> {
  const { zoneId, result } = await accountTransaction(deps.db, userId, async (trx) => {
    // Lock order: account first, as everything that creates or removes domains does, to avoid deadlocks.
    await lockUser(trx, userId)
    const { domain, zone } = await lockZoneOf(trx, domainId, userId)
    const before = await sizeOfZone(trx, zone)
    const result = await change({ trx, domain, zone })
    await requireCapacity(trx, zone, before)
    return { zoneId: zone.domainId, result }
  })
  await tryApplyZones(deps, [zoneId])
  return result
}

async function lockZoneOf(trx: Transaction, domainId: string, userId: string) {
  const domain = await getManagedDomain(trx, domainId, userId)
  const zone = await lockZone(trx, domain.zoneId)
  if (!zone) throw movingZone(domain)
  return { domain, zone }
}

export const movingZone = ({ hostname }: DomainRow) =>
  new AppError('CONFLICT', `${hostname} is moving to another zone. Try again in a moment.`)
