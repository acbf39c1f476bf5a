import type { Sentence } from '@panel/contract/sentences'
import type { WordpressProblemCode } from '@panel/contract/wordpress-texts'

/** What a copy of a site is without. */
export type LeftOut = 'trigger' | 'view' | 'event' | 'routine'

/** What becomes of a statement of a dump: it is loaded, left out, or refuses the whole dump. */
export type StatementDisposition =
  /** As it is, piece by piece: rows, of any size. */
  | { kind: 'rows' }
  /** Read whole, with collations that MariaDB does not have put into ones that it has. */
  | { kind: 'definition' }
  | { kind: 'skip'; leftOut?: LeftOut }
  /** Read whole, and run as far as it is known (dump-session.policy.ts). */
  | { kind: 'set' }
  /** Names the database that what follows is for. */
  | { kind: 'use' }
  | { kind: 'refuse'; why: Sentence<WordpressProblemCode> }

const rows: StatementDisposition = { kind: 'rows' }
const definition: StatementDisposition = { kind: 'definition' }
const skip: StatementDisposition = { kind: 'skip' }
const leftOut = (what: LeftOut): StatementDisposition => ({ kind: 'skip', leftOut: what })

/** By its first words, in the order of the table: the first line that fits decides. */
const dispositions: readonly [RegExp, StatementDisposition][] = [
  [/^(INSERT|REPLACE|UPDATE|DELETE)\b/, rows],
  [/^CREATE TABLE\b/, definition],
  [/^(ALTER|DROP|LOCK|UNLOCK|TRUNCATE) TABLES?\b/, definition],
  [/^CREATE (UNIQUE |FULLTEXT |SPATIAL )?INDEX\b/, definition],
  // Whoever restores a dump over another one removes what had its name; there is nothing yet.
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

/** `words`: the first words, in capitals, one blank between them, at most as many as `wordsToDecide`. */
export function statementDisposition(words: string): StatementDisposition {
  return (
    dispositions.find(([pattern]) => pattern.test(words))?.[1] ?? {
      kind: 'refuse',
      why: { code: 'DUMP_STATEMENT', values: { statement: words.slice(0, 60) } }
    }
  )
}

/** Enough for `CREATE ALGORITHM = UNDEFINED DEFINER = root @ localhost SQL SECURITY DEFINER VIEW`. */
export const wordsToDecide = 14

/** MySQL 8 has collations that MariaDB lacks; these order alike for all practical purposes. Old names of the same are left. */
export function withKnownCollations(definition: string): string {
  return definition
    .replace(/\butf8mb4_0900_bin\b/gi, 'utf8mb4_bin')
    .replace(/\butf8mb4_(?:[a-z]{2}(?:_[a-z]+)?_)?0900_(?:ai_ci|as_ci|as_cs)(?:_ks)?\b/gi, 'utf8mb4_unicode_520_ci')
}
