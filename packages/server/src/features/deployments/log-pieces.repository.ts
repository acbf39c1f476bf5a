import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'

/** Where a reader of a log is: in bytes, and in which chunk, of which the first byte is known. */
export interface LogPosition {
  offset: number
  chunk?: { seq: number; start: number }
}

/** What follows a position, at most about `maxBytes`; undefined where there is nothing more. */
export async function readLogPiece(
  db: Queryable,
  deploymentId: string,
  { offset, chunk = { seq: 0, start: 0 } }: LogPosition,
  maxBytes: number
): Promise<{ text: string; position: LogPosition } | undefined> {
  // octet_length reads no text: the sum over a log from its beginning costs no more than its rows.
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

/** The beginning of these bytes, at most `maxBytes` but for the end of a character that lies across. */
function wholeCharacters(bytes: Buffer, maxBytes: number): { value: string; bytes: number } {
  let end = Math.min(maxBytes, bytes.length)
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++
  return { value: bytes.toString('utf8', 0, end), bytes: end }
}
