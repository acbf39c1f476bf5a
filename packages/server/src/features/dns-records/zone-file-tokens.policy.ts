import type { Sentence } from '@panel/contract/sentences'
import type { ZoneLineCode } from '@panel/contract/zone-line-texts'
import type { ZoneField } from '../../record-types/record-type.ts'

const maxFields = 1_000

export interface LogicalLine {
  line: number
  isIndented: boolean
  fields: ZoneField[]
  problem: Sentence<ZoneLineCode> | undefined
}

interface Cursor {
  text: string
  at: number
  line: number
}

/** Logical lines with their fields, escapes kept. Single pass. */
export function* logicalLines(text: string): Generator<LogicalLine> {
  const cursor: Cursor = { text, at: text.startsWith('\ufeff') ? 1 : 0, line: 1 }
  while (cursor.at < text.length) {
    const entry = readEntry(cursor)
    if (entry.fields.length > 0 || entry.problem !== undefined) yield entry
  }
}

function readEntry(cursor: Cursor): LogicalLine {
  const { text } = cursor
  const isIndented = isBlank(text[cursor.at])
  const entry: LogicalLine = { line: cursor.line, isIndented, fields: [], problem: undefined }
  let depth = 0
  while (cursor.at < text.length) {
    const character = text[cursor.at]!
    if (isLineEnd(character)) {
      skipLineEnd(cursor)
      if (depth === 0) return entry
    } else if (isBlank(character)) cursor.at++
    else if (character === ';') skipToLineEnd(cursor)
    else if (character === '(') {
      depth++
      cursor.at++
    } else if (character === ')') {
      if (depth === 0) entry.problem ??= { code: 'BRACKET_CLOSES' }
      else depth--
      cursor.at++
    } else {
      const field = character === '"' ? readQuoted(cursor) : readPlain(cursor)
      if (field === undefined) {
        entry.problem ??= { code: 'QUOTE_OPEN' }
        depth = 0
      } else if (entry.fields.length < maxFields) entry.fields.push(field)
      else entry.problem ??= { code: 'TOO_MANY_FIELDS', values: { max: maxFields } }
    }
  }
  if (depth > 0) entry.problem ??= { code: 'BRACKET_OPEN' }
  return entry
}

function readQuoted(cursor: Cursor): ZoneField | undefined {
  const start = ++cursor.at
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const character = cursor.text[cursor.at]!
    if (isLineEnd(character)) return undefined
    if (character === '"') return { text: cursor.text.slice(start, cursor.at++), isQuoted: true }
    if (character === '\\' && !isLineEnd(cursor.text[cursor.at + 1])) cursor.at++
  }
  return undefined
}

function readPlain(cursor: Cursor): ZoneField {
  const start = cursor.at
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const character = cursor.text[cursor.at]!
    if (isLineEnd(character) || isBlank(character) || '();"'.includes(character)) break
    if (character === '\\' && !isLineEnd(cursor.text[cursor.at + 1])) cursor.at++
  }
  cursor.at = Math.min(cursor.at, cursor.text.length)
  return { text: cursor.text.slice(start, cursor.at), isQuoted: false }
}

function skipToLineEnd(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && !isLineEnd(cursor.text[cursor.at])) cursor.at++
}

function skipLineEnd(cursor: Cursor): void {
  cursor.at += cursor.text[cursor.at] === '\r' && cursor.text[cursor.at + 1] === '\n' ? 2 : 1
  cursor.line++
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t'
const isLineEnd = (character: string | undefined) => character === '\n' || character === '\r'
