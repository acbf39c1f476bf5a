import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { loadZone, type ZoneContents } from '../dns-zones/zone-contents.service.ts'
import type { ZoneRow } from '../dns-zones/zone-access.ts'
import { findZoneFor, addToZone, namesToJoin } from '../dns-zones/zone-membership.service.ts'
import type { DomainRow } from '../feature.ts'
import { defaultRecordNames, seedRecords } from './default-records.service.ts'

/** Adds a newly verified domain to the account's parent zone, if its records do not conflict. */
export async function addToParentZone(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void> {
  const zone = await findZoneFor(trx, domain.userId, domain.hostname)
  const contents = zone && (await loadZoneFor(deps, trx, zone, domain))
  const result = contents && (await addToZone(deps, trx, domain, contents))
  if (!result || 'problem' in result) return
  await seedRecords(deps, trx, result.joined, contents, ['@ A'])
}

/** Undefined if the zone is gone. */
export async function loadZoneFor(
  deps: Pick<Dependencies, 'config'>,
  trx: Transaction,
  { domainId, name }: ZoneRow,
  domain: DomainRow
): Promise<ZoneContents | undefined> {
  return loadZone(trx, domainId, [...(await namesToJoin(trx, domain)), ...defaultRecordNames(deps, domain, name)])
}
