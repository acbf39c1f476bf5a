import type { SkippedLine } from '@panel/contract/common'
import type { ImportPreview } from '@panel/contract/dns-records'
import { boundedLines } from './zone-import.policy.ts'
import type { ImportPlan, StandingRecord } from './zone-import-plan.policy.ts'

const maxRecords = 1_000

interface Told {
  existing: readonly StandingRecord[]
  plan: ImportPlan
  /** Lines that never came to the plan: the panel's own to make. */
  skipped: readonly SkippedLine[]
  /** `line 3: why`, and perhaps `and 4 more`. */
  errors: readonly string[]
}

/** What an import would do, for who decides about it. */
export function previewOf({ existing, plan, skipped, errors }: Told): ImportPreview {
  const isRemoved = new Set(plan.remove)
  const same = plan.skipped.filter(({ line }) => plan.sameLines.has(line))
  const conflicts = plan.skipped.filter(({ line }) => !plan.sameLines.has(line))
  const refused = [...skipped, ...[...errors, ...plan.errors].map(lineOf)]
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
  /** Those of which one of the name and type is there. */
  there: readonly Content[]
  refused: readonly string[]
}

/** What comes of no file has no line: 0. */
export function previewOfDefaults({ added, there, refused }: Completed): ImportPreview {
  const told = (reasons: readonly string[]) => boundedLines(reasons.map((reason) => ({ line: 0, reason })))
  return {
    added: added.map((record) => ({ ...contentOf(record), line: 0 })),
    removed: [],
    same: told(there.map(({ name, type }) => `${name} ${type}`)),
    conflicts: [],
    refused: told(refused),
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

/** The last of very many is of no line. */
function lineOf(error: string): SkippedLine {
  const [, line, reason] = /^line (\d+): (.*)$/s.exec(error) ?? []
  return line === undefined ? { line: 0, reason: error } : { line: Number(line), reason: reason! }
}
