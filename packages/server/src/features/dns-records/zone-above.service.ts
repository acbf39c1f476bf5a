import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { loadZone, type ZoneContents } from '../dns-zones/zone-contents.service.ts'
import type { ZoneRow } from '../dns-zones/zone-access.ts'
import { findZoneFor, addToZone, namesJoining } from '../dns-zones/zone-membership.service.ts'
import type { DomainRow } from '../feature.ts'
import { namesOfDefaults, seedRecords } from './default-records.service.ts'

/** A domain that is verified belongs to the zone of the account that it lies in, where its records fit in there. */
export async function addToZoneAbove(deps: Dependencies, trx: Transaction, domain: DomainRow): Promise<void> {
  const zone = await findZoneFor(trx, domain.userId, domain.hostname)
  const contents = zone && (await loadZoneFor(deps, trx, zone, domain))
  const result = contents && (await addToZone(deps, trx, domain, contents))
  if (!result || 'problem' in result) return
  // So that the name leads here without another step. Where records of the name are there already, these count.
  await seedRecords(deps, trx, result.joined, contents, ['@ A'])
}

/** Locks a zone and loads what decides about the records that the domain brings or gets; undefined where it is gone. */
export async function loadZoneFor(
  deps: Pick<Dependencies, 'config'>,
  trx: Transaction,
  { domainId, name }: ZoneRow,
  domain: DomainRow
): Promise<ZoneContents | undefined> {
  return loadZone(trx, domainId, [...(await namesJoining(trx, domain)), ...namesOfDefaults(deps, domain, name)])
}
