import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { DatabaseType } from '@panel/contract/databases'

// The last comment of a complete dump.
const endMarkers: Readonly<Record<DatabaseType, string>> = {
  POSTGRESQL: '-- PostgreSQL database dump complete',
  MYSQL: '-- Dump completed'
}
const tableMarkers: Readonly<Record<DatabaseType, RegExp>> = {
  // The comment above each table.
  POSTGRESQL: /^-- Name: .*; Type: TABLE; Schema: /,
  MYSQL: /^CREATE TABLE /
}
// Rows, and bodies of routines, may contain any line.
const skipped: Readonly<Record<DatabaseType, { from: RegExp; until: string }>> = {
  POSTGRESQL: { from: /^COPY .* FROM stdin;$/, until: '\\.' },
  MYSQL: { from: /^DELIMITER ;;$/, until: 'DELIMITER ;' }
}
/** Line before the rows of a table, one row per line. Values contain no line breaks: both tools escape them. */
const rowMarkers: Readonly<Record<DatabaseType, RegExp>> = {
  POSTGRESQL: skipped.POSTGRESQL.from,
  MYSQL: /^INSERT INTO .* VALUES$/
}
const lineLength = 4096

/** Reads a dump once, in bounded memory apart from its longest line. */
export async function scanDump(
  dump: Readable,
  type: DatabaseType
): Promise<{ tables: number; rows: number; isComplete: boolean }> {
  let tables = 0
  let rows = 0
  let isRow = false
  let isSkipped = false
  let last = ''
  for await (const line of createInterface({ input: dump, crlfDelay: Infinity })) {
    const head = line.slice(0, lineLength)
    isRow &&= type === 'MYSQL' ? head.startsWith('(') : head !== skipped[type].until
    if (isRow) rows++
    if (isSkipped) {
      isSkipped = head !== skipped[type].until
      continue
    }
    isRow ||= rowMarkers[type].test(head)
    isSkipped = skipped[type].from.test(head)
    if (tableMarkers[type].test(head)) tables++
    if (head.startsWith('-- ') && head.length > 3) last = head
  }
  return { tables, rows, isComplete: !isSkipped && last.startsWith(endMarkers[type]) }
}
