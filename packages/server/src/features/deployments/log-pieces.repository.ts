import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'

/** Byte offset of a reader; `chunk` is a shortcut to the row that contains it. */
export interface LogPosition {
  offset: number
  chunk?: { seq: number; start: number }
}

export async function readLogPiece(
  db: Queryable,
  deploymentId: string,
  { offset, chunk = { seq: 0, start: 0 } }: LogPosition,
  maxBytes: number
): Promise<{ text: string; position: LogPosition } | undefined> {
  // octet_length does not read the text, so the sum from the start costs no more than its rows.
  const { rows } = await db.execute<{ seq: string; start: string; text: string }>(sql`
    select c.seq, c.start, l.text from (
      select seq, ${chunk.start} + sum(octet_length(text)) over (order by seq) - octet_length(text) as start,
        ${chunk.start} + sum(octet_length(text)) over (order by seq) as "end"
      from deployment_logs where deployment_id = ${deploymentId} and seq >= ${chunk.seq}
    ) c join deployment_logs l on l.deployment_id = ${deploymentId} and l.seq = c.seq
    where c."end" > ${offset} and c.start < ${offset + maxBytes}
    order by c.seq`)
  if (rows.length === 0) return undefined
  const first = Number(rows[0]!.start)
  const bytes = Buffer.from(rows.map(({ text }) => text).join('')).subarray(Math.max(0, offset - first))
  const text = wholeCharacters(bytes, maxBytes)
  const last = rows.at(-1)!
  const next = Math.max(offset, first) + text.bytes
  return { text: text.value, position: { offset: next, chunk: { seq: Number(last.seq), start: Number(last.start) } } }
}

/** Only whole lines within `maxBytes`; undefined if there is none. */
export async function readLogEnd(
  db: Queryable,
  deploymentId: string,
  lines: number,
  maxBytes: number
): Promise<{ text: string; offset: number; next: number; line: number } | undefined> {
  const { rows } = await db.execute<{ seq: string; start: string; text: string }>(sql`
    select c.seq, c.start, l.text from (
      select seq, sum(octet_length(text)) over (order by seq) - octet_length(text) as start,
        sum(octet_length(text)) over (order by seq desc) as rest
      from deployment_logs where deployment_id = ${deploymentId}
    ) c join deployment_logs l on l.deployment_id = ${deploymentId} and l.seq = c.seq
    where c.rest <= ${maxBytes}
    order by c.seq`)
  const [chunk] = rows
  if (!chunk) return undefined
  const first = Number(chunk.start)
  const all = rows.map(({ text }) => text).join('')
  const begin = beginOfLast(all, lines, first === 0)
  if (begin === undefined) return undefined
  const text = all.slice(begin)
  const left = all.slice(0, begin)
  const offset = first + Buffer.byteLength(left)
  const before = first === 0 ? 0 : await countLinesBefore(db, deploymentId, chunk.seq)
  return { text, offset, next: offset + Buffer.byteLength(text), line: before + left.split('\n').length }
}

/** If the text may start within a line, that line does not count. */
function beginOfLast(text: string, lines: number, isWhole: boolean): number | undefined {
  let begin = text.length
  for (let n = 0; n < lines; n++) {
    const before = begin < 2 ? -1 : text.lastIndexOf('\n', begin - 2)
    if (before < 0) return isWhole ? 0 : n === 0 ? undefined : begin
    begin = before + 1
  }
  return begin
}

async function countLinesBefore(db: Queryable, deploymentId: string, seq: string): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(sql`
    select sum(octet_length(text) - octet_length(replace(text, E'\\n', ''))) as count
    from deployment_logs where deployment_id = ${deploymentId} and seq < ${seq}`)
  return Number(rows[0]!.count)
}

/** At most `maxBytes`, plus the rest of a character that crosses the limit. */
function wholeCharacters(bytes: Buffer, maxBytes: number): { value: string; bytes: number } {
  let end = Math.min(maxBytes, bytes.length)
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++
  return { value: bytes.toString('utf8', 0, end), bytes: end }
}
