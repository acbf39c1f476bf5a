import { sentenceText, type Sentence } from '@panel/contract/sentences'
import { type ZoneLineCode, zoneLineTexts } from '@panel/contract/zone-line-texts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordProblem } from '../../record-types/record-type.ts'
import { normalizeRecord, ownerOf, type RecordValues } from '../dns-zones/record.policy.ts'
import { addContents, type ZoneContents } from '../dns-zones/zone-contents.service.ts'
import type { ZoneRecord } from '../dns-zones/zone-record.types.ts'
import { markZoneChanged } from '../dns-zones/zone-access.ts'
import type { DomainRow } from '../feature.ts'
import { insertRecords } from './dns-records.repository.ts'

export interface WantedRecord {
  values: RecordValues
  isThere(there: ZoneRecord): boolean
}

export interface AddedRecords {
  added: RecordValues[]
  refused: { values: RecordValues; problem: string; why: Sentence<ZoneLineCode> }[]
  tooLarge?: Sentence<ZoneLineCode>
}

/** Skips records that conflict. The zone is locked and loaded around their names. */
export async function addMissingRecords(
  { now }: Pick<Dependencies, 'now'>,
  trx: Transaction,
  domain: DomainRow,
  contents: ZoneContents,
  wanted: readonly WantedRecord[]
): Promise<AddedRecords> {
  const result = planMissingRecords(domain, contents, wanted)
  if (result.added.length === 0) return result
  const at = now()
  await markZoneChanged(trx, contents.zone.domainId, at)
  await insertRecords(trx, domain.id, result.added, at)
  return result
}

/** Dry run of addMissingRecords; updates `contents` as if it had run. */
export function planMissingRecords(
  domain: Pick<DomainRow, 'hostname'>,
  contents: ZoneContents,
  wanted: readonly WantedRecord[]
): AddedRecords {
  const result: AddedRecords = { added: [], refused: [] }
  for (const { values, isThere } of wanted) {
    const owner = ownerOf(values.name, domain.hostname)
    const there = contents.index.at(owner)
    if (there.some(isThere)) continue
    // RFC 2181 §5.2: all records of a set have the same TTL.
    const ttl = there.find(({ type }) => type === values.type)?.ttl ?? values.ttl
    const why = problemOf({ ...values, owner, ttl }, domain, contents)
    const tooLarge = why === undefined ? addContents(contents, [{ ...values, owner, ttl }]) : undefined
    if (why !== undefined) result.refused.push({ values, problem: sentenceText(zoneLineTexts, [why]), why })
    else if (tooLarge) result.tooLarge ??= tooLarge
    else result.added.push({ ...values, ttl })
  }
  return result
}

function problemOf(
  { owner, ...values }: RecordValues & { owner: string },
  { hostname }: Pick<DomainRow, 'hostname'>,
  { index }: ZoneContents
): Sentence<ZoneLineCode> | undefined {
  const normal = normalizeRecord(values, hostname)
  if ('problems' in normal) {
    const [{ path, message }] = normal.problems as [RecordProblem]
    return { code: 'INVALID', values: { problem: `${owner}: ${path} ${message}` } }
  }
  return index.conflictOf({ ...values, owner })?.why
}
