import type { Connection, RowDataPacket } from 'mysql2/promise'
import { quoteName } from '../database-server/mysql-names.ts'
import type { RewriteCounts, RewriteText } from './site-database.ts'

interface TextColumn {
  name: string
  isBinary: boolean
}

interface TextTable {
  name: string
  columns: TextColumn[]
  key: string[]
}

const rowsPerBatch = 500
// Bytes handled per tick, unless a single row is larger, so that other requests are not blocked.
const bytesPerBatch = 1024 * 1024
const temporaryKey = 'panel_row'
const textTypes = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json']
const blobTypes = ['tinyblob', 'blob', 'mediumblob', 'longblob']

export async function listTextTables(connection: Connection): Promise<TextTable[]> {
  const [columns] = await connection.query<RowDataPacket[]>(
    `select c.table_name as tableName, c.column_name as name, c.data_type as type, c.extra as extra
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = database() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`
  )
  const [keys] = await connection.query<RowDataPacket[]>(
    `select s.table_name as tableName, s.index_name as indexName, s.column_name as name,
       s.sub_part is not null or s.nullable = 'YES' as isPartial
     from information_schema.statistics s where s.table_schema = database() and s.non_unique = 0
     order by s.table_name, s.index_name <> 'PRIMARY', s.index_name, s.seq_in_index`
  )
  return textTablesOf(columns, keys)
}

export function textTablesOf(columns: readonly RowDataPacket[], keys: readonly RowDataPacket[]): TextTable[] {
  const keysByTable = groupBy(keys, (part) => part.tableName as string)
  const tables = new Map<string, TextTable>()
  for (const { tableName, name, type, extra } of columns) {
    let table = tables.get(tableName)
    if (!table)
      tables.set(tableName, (table = { name: tableName, columns: [], key: keyOf(keysByTable.get(tableName)) }))
    if (/GENERATED/i.test(extra)) continue
    if (textTypes.includes(type)) table.columns.push({ name, isBinary: false })
    if (blobTypes.includes(type)) table.columns.push({ name, isBinary: true })
  }
  return [...tables.values()]
}

/** The primary key, otherwise a unique key without nullable or prefix parts. */
function keyOf(parts: readonly RowDataPacket[] = []): string[] {
  const indexes = [...groupBy(parts, (part) => part.indexName as string).values()]
  const whole = indexes.find((index) => index.every((part) => !part.isPartial))
  return whole?.map((part) => part.name as string) ?? []
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

interface Rewriting {
  searchTerms: readonly string[]
  rewrite: RewriteText
  maxRowBytes: number
  isDryRun?: boolean
  signal?: AbortSignal | undefined
}

/** The connection uses strict UTF-8, so values survive the round trip. */
export async function rewriteTable(
  connection: Connection,
  table: TextTable,
  { searchTerms, rewrite, maxRowBytes, isDryRun = false, signal }: Rewriting,
  counts: RewriteCounts
): Promise<void> {
  if (table.columns.length === 0 || searchTerms.length === 0) return
  const hasKey = table.key.length > 0
  if (!hasKey && isDryRun) {
    counts.changed += await countRows(connection, table, searchTerms)
    return
  }
  if (!hasKey)
    await connection.query(`alter table ${quoteName(table.name)}
      add column ${quoteName(temporaryKey)} bigint unsigned not null auto_increment, add unique (${quoteName(temporaryKey)})`)
  const key = hasKey ? table.key : [temporaryKey]
  for (let after: unknown[] | undefined; ;) {
    const rows = await findRows(connection, { ...table, key }, searchTerms, after)
    if (rows.length === 0) break
    const small = rows.filter((row) => row.bytes <= maxRowBytes)
    counts.tooLarge += rows.length - small.length
    for (const batch of batchesOf(small)) {
      signal?.throwIfAborted()
      await rewriteRows(connection, { ...table, key }, batch, { rewrite, isDryRun }, counts)
    }
    after = rows.at(-1)!.key
  }
  if (!hasKey) await connection.query(`alter table ${quoteName(table.name)} drop column ${quoteName(temporaryKey)}`)
}

interface FoundRow {
  key: unknown[]
  bytes: number
}

async function findRows(
  connection: Connection,
  { name, columns, key }: TextTable,
  searchTerms: readonly string[],
  after: unknown[] | undefined
): Promise<FoundRow[]> {
  const keyColumns = key.map((column) => quoteName(column)).join(', ')
  const { contains, texts } = conditionOf(columns, searchTerms)
  const [rows] = await connection.query<RowDataPacket[][]>({
    sql: `select ${keyColumns}, ${columns.map((column) => `coalesce(length(${quoteName(column.name)}), 0)`).join(' + ')}
      from ${quoteName(name)} where (${contains})
      ${after === undefined ? '' : `and (${keyColumns}) > (${after.map(() => '?').join(', ')})`}
      order by ${keyColumns} limit ${rowsPerBatch}`,
    values: [...texts, ...(after ?? [])],
    rowsAsArray: true
  })
  return rows.map((row) => ({ key: row.slice(0, -1), bytes: Number(row.at(-1)) }))
}

function conditionOf(columns: TextTable['columns'], searchTerms: readonly string[]) {
  // Bytes, because a collation may match different texts. Lower case is the same for ASCII in both.
  const contains = columns.flatMap((column) =>
    searchTerms.map(
      () => `locate(?, lower(convert(${quoteName(column.name)} using ${column.isBinary ? 'latin1' : 'utf8mb4'}))) > 0`
    )
  )
  const texts = columns.flatMap(() => searchTerms.map((searchTerm) => searchTerm.toLowerCase()))
  return { contains: contains.join(' or '), texts }
}

async function countRows(
  connection: Connection,
  { name, columns }: TextTable,
  searchTerms: readonly string[]
): Promise<number> {
  const { contains, texts } = conditionOf(columns, searchTerms)
  const [rows] = await connection.query<RowDataPacket[]>(
    `select count(*) as found from ${quoteName(name)} where ${contains}`,
    texts
  )
  return Number(rows[0]?.found ?? 0)
}

function batchesOf(rows: readonly FoundRow[]): FoundRow[][] {
  const batches: FoundRow[][] = []
  let bytes = Infinity
  for (const row of rows) {
    if (bytes + row.bytes > bytesPerBatch) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(row)
    bytes += row.bytes
  }
  return batches
}

async function rewriteRows(
  connection: Connection,
  { name, columns, key }: TextTable,
  batch: readonly FoundRow[],
  { rewrite, isDryRun }: { rewrite: RewriteText; isDryRun: boolean },
  counts: RewriteCounts
): Promise<void> {
  const keyColumns = key.map((column) => quoteName(column)).join(', ')
  const [rows] = await connection.query<RowDataPacket[][]>({
    sql: `select ${keyColumns}, ${columns.map((column) => quoteName(column.name)).join(', ')} from ${quoteName(name)}
      where (${keyColumns}) in (${batch.map((row) => `(${row.key.map(() => '?').join(', ')})`).join(', ')})`,
    values: batch.flatMap((row) => row.key),
    rowsAsArray: true
  })
  await connection.beginTransaction()
  for (const row of rows) {
    const changes = columns.flatMap((column, index) => {
      const value = row[key.length + index] as string | Buffer | null
      if (value === null) return []
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value
      const before = bytes.toString('latin1')
      const { value: rewritten, isMalformed } = rewrite(before)
      if (isMalformed) counts.malformed++
      if (rewritten === before) return []
      const after = Buffer.from(rewritten, 'latin1')
      return [{ column: column.name, value: column.isBinary ? after : after.toString('utf8') }]
    })
    if (changes.length === 0) continue
    counts.changed += changes.length
    if (isDryRun) continue
    await connection.query(
      `update ${quoteName(name)} set ${changes.map(({ column }) => `${quoteName(column)} = ?`).join(', ')}
       where ${key.map((column) => `${quoteName(column)} = ?`).join(' and ')}`,
      [...changes.map((change) => change.value), ...row.slice(0, key.length)]
    )
  }
  await connection.commit()
}
