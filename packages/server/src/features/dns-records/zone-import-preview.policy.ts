import type { ImportPreview, ZoneLine } from '@panel/contract/dns-records'
import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import { boundedLines } from './zone-import.policy.ts'
import type { ImportPlan, ExistingRecord } from './zone-import-plan.policy.ts'
import { zoneLine } from './zone-line.policy.ts'

const maxRecords = 1_000

interface Reported {
  existing: readonly ExistingRecord[]
  plan: ImportPlan
  skipped: readonly ZoneLine[]
  errors: readonly ZoneLine[]
}

export function previewOf({ existing, plan, skipped, errors }: Reported): ImportPreview {
  const isRemoved = new Set(plan.remove)
  const same = plan.skipped.filter(({ line }) => plan.sameLines.has(line))
  const conflicts = plan.skipped.filter(({ line }) => !plan.sameLines.has(line))
  const refused = [...skipped, ...errors, ...plan.errors]
  return {
    added: plan.insert
      .slice(0, maxRecords)
      .map((record, at) => ({ ...contentOf(record), line: plan.insertedLines[at]! })),
    removed: existing
      .filter(({ id }) => isRemoved.has(id))
      .slice(0, maxRecords)
      .map(contentOf),
    same: boundedLines(same),
    conflicts: boundedLines(conflicts),
    refused: boundedLines(refused),
    counts: {
      added: plan.insert.length,
      removed: plan.remove.length,
      same: same.length,
      conflicts: conflicts.length,
      refused: refused.length
    }
  }
}

interface Completed {
  added: readonly Content[]
  there: readonly Content[]
  refused: readonly Sentence<ZoneLineCode>[]
}

/** Line is 0, because defaults come from no file. */
export function previewOfDefaults({ added, there, refused }: Completed): ImportPreview {
  const problemLines = (reasons: readonly Sentence<ZoneLineCode>[]) =>
    boundedLines(reasons.map((why) => zoneLine(0, why)))
  return {
    added: added.map((record) => ({ ...contentOf(record), line: 0 })),
    removed: [],
    same: problemLines(
      there.map(({ name, type }) => ({ code: 'DEFAULT_THERE', values: { record: `${name} ${type}` } }))
    ),
    conflicts: [],
    refused: problemLines(refused),
    counts: { added: added.length, removed: 0, same: there.length, conflicts: 0, refused: refused.length }
  }
}

type Content = Omit<ImportPreview['added'][number], 'line'>

const contentOf = ({ type, name, value, ttl, priority, weight, port }: Content): Content => ({
  type,
  name,
  value,
  ttl,
  priority,
  weight,
  port
})
