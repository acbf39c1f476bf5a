import type { Sentence } from '@panel/contract/sentences'
import type { WordpressProblemCode } from '@panel/contract/wordpress-texts'

export type LeftOut = 'trigger' | 'view' | 'event' | 'routine'

export type StatementDisposition =
  | { kind: 'rows' }
  | { kind: 'definition' }
  | { kind: 'skip'; leftOut?: LeftOut }
  | { kind: 'set' }
  | { kind: 'use' }
  | { kind: 'refuse'; why: Sentence<WordpressProblemCode> }

const rows: StatementDisposition = { kind: 'rows' }
const definition: StatementDisposition = { kind: 'definition' }
const skip: StatementDisposition = { kind: 'skip' }
const leftOut = (what: LeftOut): StatementDisposition => ({ kind: 'skip', leftOut: what })

const dispositions: readonly [RegExp, StatementDisposition][] = [
  [/^(INSERT|REPLACE|UPDATE|DELETE)\b/, rows],
  [/^CREATE TABLE\b/, definition],
  [/^(ALTER|DROP|LOCK|UNLOCK|TRUNCATE) TABLES?\b/, definition],
  [/^CREATE (UNIQUE |FULLTEXT |SPATIAL )?INDEX\b/, definition],
  // The staging database is empty, so there is nothing to drop.
  [/^DROP (VIEW|TRIGGER|PROCEDURE|FUNCTION|EVENT|DATABASE|SCHEMA|TEMPORARY)\b/, skip],
  [/^SET\b/, { kind: 'set' }],
  [/^(START TRANSACTION|BEGIN|BEGIN WORK|COMMIT|COMMIT WORK)$/, definition],
  [/^USE\b/, { kind: 'use' }],
  [/^(CREATE|ALTER) (DATABASE|SCHEMA)\b/, skip],
  [/^(ANALYZE|OPTIMIZE|FLUSH|CHECK|REPAIR|SELECT|SHOW|CHANGE|EXPLAIN|DESCRIBE) ?/, skip],
  [/^(CREATE|ALTER)\b.*\bTRIGGER\b/, leftOut('trigger')],
  [/^(CREATE|ALTER)\b.*\bVIEW\b/, leftOut('view')],
  [/^(CREATE|ALTER)\b.*\bEVENT\b/, leftOut('event')],
  [/^(CREATE|ALTER)\b.*\b(FUNCTION|PROCEDURE)\b/, leftOut('routine')],
  [/^CREATE TEMPORARY\b/, { kind: 'refuse', why: { code: 'DUMP_TEMPORARY_TABLE' } }]
]

export function statementDisposition(words: string): StatementDisposition {
  return (
    dispositions.find(([pattern]) => pattern.test(words))?.[1] ?? {
      kind: 'refuse',
      why: { code: 'DUMP_STATEMENT', values: { statement: words.slice(0, 60) } }
    }
  )
}

/** Enough for `CREATE ALGORITHM = UNDEFINED DEFINER = root @ localhost SQL SECURITY DEFINER VIEW`. */
export const wordsToClassify = 14

export function withKnownCollations(definition: string): string {
  return definition
    .replace(/\butf8mb4_0900_bin\b/gi, 'utf8mb4_bin')
    .replace(/\butf8mb4_(?:[a-z]{2}(?:_[a-z]+)?_)?0900_(?:ai_ci|as_ci|as_cs)(?:_ks)?\b/gi, 'utf8mb4_unicode_520_ci')
}
