import pg from 'pg'
import type { Database } from './database.ts'

/** Runs a prepared statement (planned once per connection). Timestamps are ISO 8601 strings. */
export async function queryPrepared<Row extends pg.QueryResultRow>(
  { $client }: Pick<Database, '$client'>,
  statement: { name: string; text: string },
  values: readonly unknown[]
): Promise<Row[]> {
  const { rows } = await $client.query<Row>({ ...statement, values: [...values], types: textTimes })
  return rows
}

/** PostgreSQL's output in a UTC session: `2026-01-31 10:20:30.5+00`, with a variable number of fraction digits. */
const utcTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/

const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date

export function isoTime(text: string): string {
  if (!utcTime.test(text)) return parseTime(text).toISOString()
  const milliseconds = text.slice(20, -3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const textTimes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? isoTime
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}
