import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { loadZone } from '../dns-zones/zone-contents.service.ts'
import { findZoneFor, addToZone } from '../dns-zones/zone-membership.service.ts'
import type { DomainRow } from '../feature.ts'
import { seedRecords } from './default-records.service.ts'

/** A domain that is verified belongs to the zone of the account that it lies in, where its records fit in there. */
export async function addToZoneAbove(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void> {
  const zone = await findZoneFor(trx, domain.userId, domain.hostname)
  const contents = zone && (await loadZone(trx, zone.domainId))
  const result = contents && (await addToZone(deps, trx, domain, contents))
  if (!result || 'problem' in result) return
  // So that the name leads here without another step. Where records of the name are there already, these count.
  await seedRecords(deps, trx, result.joined, contents, ['@ A'])
}
