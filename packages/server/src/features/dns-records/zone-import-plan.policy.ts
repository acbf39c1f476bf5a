import type { ZoneLine } from '@panel/contract/dns-records'
import type { ZoneRecord } from '../dns-zones/zone-record.types.ts'
import { growthProblem, sizeAfter, sizeOf, type ZoneSize, zoneLimits } from '../dns-zones/zone-size.policy.ts'
import { contentOf, excludes, type RecordConflict } from '../dns-zones/record-conflict.policy.ts'
import { ownerOf } from '../dns-zones/record-name.policy.ts'
import type { RecordValues } from '../dns-zones/record.policy.ts'
import type { ImportedRecord } from './zone-import.policy.ts'
import { zoneLine } from './zone-line.policy.ts'
import { indexZone, type ZoneIndex } from '../dns-zones/zone-index.policy.ts'

export type ExistingRecord = ZoneRecord & {
  id: string
  name: string
  /** Must not be removed: the verification record, and records of other domains in the zone. */
  isFixed: boolean
}

export interface ImportPlan {
  remove: string[]
  insert: RecordValues[]
  insertedLines: number[]
  sameLines: Set<number>
  /** Duplicates, and lines where the zone keeps a conflicting record. */
  skipped: ZoneLine[]
  errors: ZoneLine[]
}

interface ImportRequest {
  existing: readonly ExistingRecord[]
  wanted: readonly ImportedRecord[]
  strategy: 'skip' | 'replace'
  hostname: string
  zoneName: string
  limits?: ZoneSize
}

/**
 * `replace` works on record sets (name and type); records that the file does not mention stay. A set that exceeds
 * the limits is skipped whole, so that nothing is removed for a partial replacement.
 */
export function planImport({
  existing,
  wanted,
  strategy,
  hostname,
  zoneName,
  limits = zoneLimits
}: ImportRequest): ImportPlan {
  const zone = indexZone<ExistingRecord | Candidate>(existing, zoneName)
  const plan: ImportPlan = { remove: [], insert: [], insertedLines: [], sameLines: new Set(), skipped: [], errors: [] }
  const confirmed = new Set<string>()
  let size = sizeOf(existing)
  for (const set of setsOf(wanted, hostname, plan)) {
    const step = stepOf[strategy](set, zone, { zoneName, confirmed })
    plan.skipped.push(...step.skipped)
    for (const line of step.same) plan.sameLines.add(line)
    plan.errors.push(...step.errors)
    const after = sizeAfter(size, sizeOf(step.added), sizeOf(step.removed))
    const problem = growthProblem(size, after, limits)
    if (problem) {
      zone.remove(step.added)
      zone.add(step.removed)
      plan.errors.push(...step.added.map(({ line }) => zoneLine(line, problem)))
      continue
    }
    size = after
    plan.remove.push(...step.removed.map(({ id }) => id))
    plan.insertedLines.push(...step.added.map(({ line }) => line))
    plan.insert.push(...step.added.map(({ owner: _owner, line: _line, ...values }) => values))
  }
  return plan
}

interface Candidate extends ZoneRecord {
  name: string
  line: number
}

type Zone = ZoneIndex<ExistingRecord | Candidate>

interface Step {
  added: Candidate[]
  removed: ExistingRecord[]
  skipped: ZoneLine[]
  same: number[]
  errors: ZoneLine[]
}

interface StepContext {
  zoneName: string
  /** Existing records that the file also contains: later sets must not replace them (idempotence). */
  confirmed: Set<string>
}

const stepOf: Record<ImportRequest['strategy'], (set: readonly Candidate[], zone: Zone, context: StepContext) => Step> =
  {
    skip(set, zone) {
      const { owner, type } = set[0]!
      const ttl = zone.at(owner).find((record) => record.type === type)?.ttl
      return addAll(withTtl(set, ttl), zone, isKept)
    },
    replace(set, zone, { zoneName, confirmed }) {
      const { owner, type } = set[0]!
      const here = zone.at(owner).filter(isExisting)
      const sameSet = here.filter((record) => record.type === type)
      // A fixed record determines the TTL of its set.
      const ttl = sameSet.find(({ isFixed }) => isFixed)?.ttl
      const wanted = withTtl(set, ttl)
      const wantedKeys = new Set(wanted.map(keyOf))
      const there = new Set(sameSet.map(keyOf))
      const missing = wanted.filter((candidate) => !there.has(keyOf(candidate)))
      for (const record of sameSet) if (wantedKeys.has(keyOf(record))) confirmed.add(record.id)
      const obsolete = here.filter(
        (record) =>
          !record.isFixed &&
          !confirmed.has(record.id) &&
          (record.type === type ? !wantedKeys.has(keyOf(record)) : excludes(record, set[0]!, zoneName))
      )
      zone.remove(obsolete)
      const step = addAll(wanted, zone, isDuplicate)
      if (missing.length === 0 || step.added.length > 0) return { ...step, removed: obsolete }
      zone.add(obsolete)
      return step
    }
  }

const isDuplicate = ({ code }: RecordConflict): boolean => code === 'DNS_RECORD_EXISTS'
/** Duplicate, or conflict with a record that existed before the import. */
const isKept = (conflict: RecordConflict): boolean =>
  isDuplicate(conflict) || (conflict.with !== undefined && 'id' in conflict.with)

const withTtl = (set: readonly Candidate[], ttl: number | undefined): Candidate[] =>
  set.map((candidate) => ({ ...candidate, ttl: ttl ?? candidate.ttl }))

function addAll(set: readonly Candidate[], zone: Zone, isSkipped: (conflict: RecordConflict) => boolean): Step {
  const step: Step = { added: [], removed: [], skipped: [], same: [], errors: [] }
  for (const candidate of set) {
    const conflict = zone.conflictOf(candidate)
    if (conflict && isSkipped(conflict)) {
      step.skipped.push(zoneLine(candidate.line, conflict.why))
      if (isDuplicate(conflict)) step.same.push(candidate.line)
      continue
    }
    if (conflict) {
      step.errors.push(zoneLine(candidate.line, conflict.why))
      continue
    }
    zone.add([candidate])
    step.added.push(candidate)
  }
  return step
}

function setsOf(
  wanted: readonly ImportedRecord[],
  hostname: string,
  { skipped, sameLines }: Pick<ImportPlan, 'skipped' | 'sameLines'>
): Candidate[][] {
  const sets = new Map<string, Map<string, Candidate>>()
  for (const record of wanted) {
    const owner = ownerOf(record.name, hostname)
    const key = `${owner} ${record.type}`
    const set = sets.get(key) ?? new Map<string, Candidate>()
    sets.set(key, set)
    const content = contentOf(record)
    const first = set.get(content)
    if (first) {
      skipped.push(zoneLine(record.line, { code: 'SAME_RECORD', values: { first: first.line } }))
      sameLines.add(record.line)
    } else set.set(content, { ...record, owner })
  }
  return [...sets.values()].map((set) => [...set.values()])
}

const keyOf = (record: ZoneRecord): string => `${record.ttl} ${contentOf(record)}`

const isExisting = (record: ExistingRecord | Candidate): record is ExistingRecord => 'id' in record
