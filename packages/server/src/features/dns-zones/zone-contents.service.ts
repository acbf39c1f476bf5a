import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type ZoneLineCode, zoneLineTexts } from '@panel/contract/zone-line-texts'
import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { indexZone, type ZoneIndex } from './zone-index.policy.ts'
import { growthProblem, sizeAfter, sizeOf, type ZoneSize } from './zone-size.policy.ts'
import type { ZoneRecord } from './zone-record.types.ts'
import { listRecordsAround, lockZone, readZoneSize, type ZoneRow } from './zones.repository.ts'

type Content = ZoneRecord & { name: string }

/** What stands in a zone at some names and around them, as far as the transaction that has locked it has come. */
export interface ZoneContents {
  zone: ZoneRow
  index: ZoneIndex<Content>
  /** Of all of the zone. */
  size: ZoneSize
}

/** Locks the zone and loads what decides about records of these names; undefined where it is gone. */
export async function loadZone(
  trx: Transaction,
  id: string,
  names: readonly string[]
): Promise<ZoneContents | undefined> {
  const zone = await lockZone(trx, id)
  return zone && contentsAround(trx, zone, names)
}

/** The caller has locked the zone. */
export async function contentsAround(trx: Transaction, zone: ZoneRow, names: readonly string[]): Promise<ZoneContents> {
  const records = await listRecordsAround(trx, zone, names)
  return { zone, index: indexZone<Content>(records, zone.name), size: await readZoneSize(trx, zone.domainId) }
}

/** Of a zone that has been made just now. */
export const contentsOfNew = (zone: ZoneRow): ZoneContents => ({
  zone,
  index: indexZone<Content>([], zone.name),
  size: sizeOf([])
})

export const sizeOfZone = (trx: Transaction, zone: ZoneRow): Promise<ZoneSize> => readZoneSize(trx, zone.domainId)

/** Adds them, or says why they would make the zone too large. */
export function addContents(contents: ZoneContents, records: readonly Content[]): Sentence<ZoneLineCode> | undefined {
  const problem = growContents(contents, sizeOf(records))
  if (!problem) contents.index.add(records)
  return problem
}

/** For what is in the index already. */
export function growContents(contents: ZoneContents, added: ZoneSize): Sentence<ZoneLineCode> | undefined {
  const after = sizeAfter(contents.size, added)
  const problem = growthProblem(contents.size, after)
  if (!problem) contents.size = after
  return problem
}

/** Refuses what has made the zone larger than it may be, since it was of the size `before`. */
export async function requireCapacity(trx: Transaction, zone: ZoneRow, before: ZoneSize): Promise<void> {
  const problem = growthProblem(before, await readZoneSize(trx, zone.domainId))
  if (problem) throw zoneTooLarge(zone.name, problem)
}

export const zoneTooLarge = (zoneName: string, problem: string | Sentence<ZoneLineCode>) =>
  new AppError(
    'DNS_RECORD_LIMIT',
    `In ${zoneName}, ${typeof problem === 'string' ? problem : sentenceText(zoneLineTexts, [problem])}: delete records there first, also of other domains in it, or delegate a part of it with NS records`
  )
