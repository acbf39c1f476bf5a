import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type ZoneLineCode, zoneLineTexts } from '@panel/contract/zone-line-texts'
import type { Transaction } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { indexZone, type ZoneIndex } from './zone-index.policy.ts'
import { growthProblem, sizeAfter, sizeOf, type ZoneSize } from './zone-size.policy.ts'
import type { ZoneRecord } from './zone-record.types.ts'
import { listRecordsAround, lockZone, readZoneSize, type ZoneRow } from './zones.repository.ts'

type Content = ZoneRecord & { name: string }

export interface ZoneContents {
  zone: ZoneRow
  index: ZoneIndex<Content>
  size: ZoneSize
}

/** Locks the zone and loads the records that may conflict at these names; undefined if the zone is gone. */
export async function loadZone(
  trx: Transaction,
  id: string,
  names: readonly string[]
): Promise<ZoneContents | undefined> {
  const zone = await lockZone(trx, id)
  return zone && contentsAround(trx, zone, names)
}

/** The caller holds the zone lock. */
export async function contentsAround(trx: Transaction, zone: ZoneRow, names: readonly string[]): Promise<ZoneContents> {
  const records = await listRecordsAround(trx, zone, names)
  return { zone, index: indexZone<Content>(records, zone.name), size: await readZoneSize(trx, zone.domainId) }
}

export const emptyContents = (zone: ZoneRow): ZoneContents => ({
  zone,
  index: indexZone<Content>([], zone.name),
  size: sizeOf([])
})

export const sizeOfZone = (trx: Transaction, zone: ZoneRow): Promise<ZoneSize> => readZoneSize(trx, zone.domainId)

export function addContents(contents: ZoneContents, records: readonly Content[]): Sentence<ZoneLineCode> | undefined {
  const problem = growContents(contents, sizeOf(records))
  if (!problem) contents.index.add(records)
  return problem
}

export function growContents(contents: ZoneContents, added: ZoneSize): Sentence<ZoneLineCode> | undefined {
  const after = sizeAfter(contents.size, added)
  const problem = growthProblem(contents.size, after)
  if (!problem) contents.size = after
  return problem
}

export async function requireCapacity(trx: Transaction, zone: ZoneRow, before: ZoneSize): Promise<void> {
  const problem = growthProblem(before, await readZoneSize(trx, zone.domainId))
  if (problem) throw zoneTooLarge(zone.name, problem)
}

export const zoneTooLarge = (zoneName: string, problem: string | Sentence<ZoneLineCode>) =>
  new AppError(
    'DNS_RECORD_LIMIT',
    `Zone ${zoneName}: ${typeof problem === 'string' ? problem : sentenceText(zoneLineTexts, [problem])}. Delete records, also of other domains in the zone, or delegate part of it with NS records.`
  )
