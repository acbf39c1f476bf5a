import type pg from 'pg'

/** A table whose rows are part of a dump of the store. */
export interface StoreTable {
  schema: string
  name: string
  /** Without generated columns, which cannot be written. */
  columns: string[]
  /** Columns of the primary key: rows in a stable order share their blocks with those of the previous backup. */
  key: string[]
}

// Of the job queue only waiting work is kept. Its tables are created by pg-boss, so they have no migration of ours.
const jobs = { schema: 'pgboss', name: 'job' }
const filters: Readonly<Record<string, string>> = { 'pgboss.job': `where state < 'completed'` }

export const filterOf = ({ schema, name }: Pick<StoreTable, 'schema' | 'name'>): string =>
  filters[`${schema}.${name}`] ?? ''

export async function listStoreTables(client: pg.Client): Promise<StoreTable[]> {
  const { rows } = await client.query<StoreTable>(
    `select n.nspname as schema, c.relname as name,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
       array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
             where i.indrelid = c.oid and i.indisprimary order by k.place) as key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where (n.nspname = 'public' and c.relkind = 'r') or (n.nspname = $1 and c.relname = $2)
     order by n.nspname, c.relname`,
    [jobs.schema, jobs.name]
  )
  return rows
}

export interface StoreSequence {
  name: string
  value: string
  isCalled: boolean
}

export async function listSequences(client: pg.Client): Promise<StoreSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`
  )
  const sequences: StoreSequence[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from public.${client.escapeIdentifier(name)}`
    )
    sequences.push({ name, ...found[0]! })
  }
  return sequences
}
