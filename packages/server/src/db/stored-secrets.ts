import pg from 'pg'
import type { Database } from './database.ts'

// infra/secret-box/secret-box.ts.
const sealed = '[0-9a-f]{24}:[0-9a-f]{32}:(?:[0-9a-f]{2})+'

interface Column {
  table: string
  column: string
}

/**
 * Every sealed value of the store, found by its form, so that a new column is never missed; and every hash of a password,
 * token or session.
 */
export async function listStoredSecrets({ $client }: Database): Promise<{ sealed: string[]; hashes: string[] }> {
  const { rows: columns } = await $client.query<Column>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'json', 'ARRAY')`
  )
  const found = { sealed: new Set<string>(), hashes: new Set<string>() }
  for (const { table, column } of columns) {
    const [from, value] = [pg.escapeIdentifier(table), pg.escapeIdentifier(column)]
    const { rows } = await $client.query<{ value: string }>(
      `select distinct (regexp_matches(${value}::text, $1, 'g'))[1] as value from ${from}`,
      [`(${sealed})`]
    )
    for (const row of rows) found.sealed.add(row.value)
    if (!/_hash$/.test(column)) continue
    const { rows: hashes } = await $client.query<{ value: string | null }>(
      `select ${value}::text as value from ${from}`
    )
    for (const row of hashes) if (row.value !== null) found.hashes.add(row.value)
  }
  return { sealed: [...found.sealed], hashes: [...found.hashes] }
}
