import type { RowDataPacket } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { textTablesOf } from './text-rewriter.ts'

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

test('ten thousand tables with many columns and keys are grouped in one pass', () => {
  const tables = times(10_000, (table) => `t${table}`)
  const columns = tables.flatMap((tableName) =>
    times(50, (column) => ({ tableName, name: `c${column}`, type: column === 1 ? 'text' : 'int', extra: '' }))
  )
  const keys = tables.flatMap((tableName) =>
    times(20, (part) => ({ tableName, indexName: `k${part}`, name: `c${part}`, isPartial: part < 2 ? 1 : 0 }))
  )
  expect(textTablesOf(columns as RowDataPacket[], keys as RowDataPacket[])).toEqual(
    tables.map((name) => ({ name, columns: [{ name: 'c1', isBinary: false }], key: ['c2'] }))
  )
})
