import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '../../src/db/database.ts'

type Values = Readonly<Record<string, unknown>>

interface Column {
  name: string
  type: string
  isRequired: boolean
  /** Enum labels. */
  labels: string[] | null
  isPrimaryKey: boolean
  isForeignKey: boolean
  /** Referenced table. */
  refersTo: string | null
  refersToColumn: string | null
}

export interface RowMaker {
  /** Builds a row and the rows it references from the database schema. */
  prepare(
    table: string,
    values?: Values
  ): Promise<{
    insert(): Promise<unknown>
    updateEachColumn(): Promise<unknown>
    remove(): Promise<unknown>
  }>
}

/** Nullable columns that a CHECK constraint requires. */
const alsoRequired: Readonly<Record<string, string[]>> = {
  env_vars: ['project_id'],
  host_names: ['user_id'],
  mailbox_imports: ['password'],
  mailboxes: ['domain_id'],
  restores: ['project_id']
}

/** Values that a CHECK constraint compares with other columns. */
const largerThanSamples: Readonly<Record<string, Values>> = { mail_filter_settings: { refuse_score: 40_000 } }

export async function notifyingTables(db: Database) {
  const { rows } = await db.execute<{ table: string; operations: ('insert' | 'update' | 'delete')[] }>(sql`
    select tgrelid::regclass::text as table, array_agg(substr(tgname, 6) order by tgname) as operations
    from pg_trigger where tgname like 'tell\\_%' group by 1 order by 1`)
  return rows
}

/** Generates rows for tests that walk all tables. `owners`: existing rows by table. */
export async function createRowMaker(db: Database, owners: Readonly<Record<string, string>>): Promise<RowMaker> {
  const columnsOf = async (table: string) => {
    const { rows } = await db.execute<Column & Record<string, unknown>>(describe(table))
    for (const row of rows) row.isRequired ||= alsoRequired[table]?.includes(row.name) ?? false
    return rows
  }
  const fill = async (columns: readonly Column[], values: Values): Promise<Record<string, unknown>> => {
    const row: Record<string, unknown> = {}
    for (const column of columns)
      if (column.name in values) row[column.name] = values[column.name]
      else if (column.isRequired) row[column.name] = await valueFor(column)
    return row
  }
  const valueFor = async (column: Column): Promise<unknown> => {
    const { refersTo, refersToColumn } = column
    if (refersTo === null) return sampleOf(column)
    if (owners[refersTo] !== undefined) return owners[refersTo]
    return (await make(refersTo))[refersToColumn!]
  }
  const make = async (table: string) => {
    const { rows } = await insert(table, await fill(await columnsOf(table), {}))
    return rows[0]!
  }
  const insert = (table: string, row: Values) =>
    db.execute(sql`insert into ${sql.identifier(table)} (${list(Object.keys(row).map((name) => sql.identifier(name)))})
      values (${list(Object.values(row).map((value) => sql`${value}`))}) returning *`)
  return {
    async prepare(table, values = {}) {
      const columns = await columnsOf(table)
      const row = await fill(columns, { ...largerThanSamples[table], ...values })
      const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey)
      const isRow = () =>
        sql.join(
          keys.map(({ name }) => sql`${sql.identifier(name)} = ${sql.param(row[name])}`),
          sql` and `
        )
      return {
        async insert() {
          const { rows } = await insert(table, row)
          Object.assign(row, rows[0])
        },
        async updateEachColumn() {
          for (const column of columns) {
            if (column.isPrimaryKey || column.isForeignKey || /(^|_)id$/.test(column.name)) continue
            const value = sampleOf(column, 1)
            const update = sql`update ${sql.identifier(table)} set ${sql.identifier(column.name)} = ${value} where ${isRow()}`
            // A CHECK constraint may forbid it.
            await db.execute(update).catch((error: { cause?: { code?: string } }) => {
              if (error.cause?.code !== checkViolation) throw error
            })
          }
        },
        remove: () => db.execute(sql`delete from ${sql.identifier(table)} where ${isRow()}`)
      }
    }
  }
}

const checkViolation = '23514'
const list = (parts: ReturnType<typeof sql>[] | ReturnType<typeof sql.identifier>[]) => sql.join([...parts], sql`, `)

function sampleOf({ type, labels }: Column, which = 0): unknown {
  if (labels) return labels[which % labels.length]
  if (type.endsWith('[]')) return type === 'text[]' && which === 1 ? '{x}' : '{}'
  if (/^(integer|bigint|smallint|real|double precision|numeric)/.test(type))
    return 1_000 + (randomBytes(2).readUInt16LE() % 30_000)
  if (type === 'boolean') return which === 1
  if (/^(timestamp|date)/.test(type)) return new Date(Date.now() - which * 1000).toISOString()
  if (/^jsonb?$/.test(type)) return which === 0 ? '[]' : '{}'
  if (type === 'text') return `x${randomBytes(8).toString('hex')}`
  throw new Error(`no sample of ${type}`)
}

const describe = (table: string) => sql`
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired",
    exists (select from pg_constraint where conrelid = a.attrelid and contype = 'p' and a.attnum = any(conkey)) as "isPrimaryKey",
    exists (select from pg_constraint where conrelid = a.attrelid and contype = 'f' and a.attnum = any(conkey)) as "isForeignKey",
    (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = a.atttypid) as labels,
    c.confrelid::regclass::text as "refersTo",
    (select attname from pg_attribute where attrelid = c.confrelid and attnum = c.confkey[1]) as "refersToColumn"
  from pg_attribute a
  left join pg_constraint c on c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum]
  where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
  order by a.attnum`
