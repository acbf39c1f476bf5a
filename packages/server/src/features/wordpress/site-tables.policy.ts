import { AppError } from '../../errors.ts'

/** Throws ARCHIVE_INVALID if there is no WordPress, and for multisite, whose addresses are in many tables. */
export function findTablePrefix(
  tables: readonly { name: string; columns: readonly string[] }[],
  configured: string | undefined
): string {
  const names = new Set(tables.map((table) => table.name))
  const prefixes = tables
    .filter(
      ({ name, columns }) => name.endsWith('options') && optionColumns.every((column) => columns.includes(column))
    )
    .map(({ name }) => name.slice(0, -'options'.length))
    .filter((prefix) => names.has(`${prefix}posts`) && names.has(`${prefix}users`))
  const known = prefixes.find((prefix) => prefix === configured)
  const prefix = known ?? prefixes[0]
  if (prefix === undefined) throw new AppError('ARCHIVE_INVALID', { code: 'NO_TABLES_OF_SITE' })
  if (names.has(`${prefix}blogs`) || names.has(`${prefix}sitemeta`))
    throw new AppError('ARCHIVE_INVALID', { code: 'NETWORK_OF_SITES' })
  if (known === undefined && prefixes.length > 1)
    throw new AppError('ARCHIVE_INVALID', {
      code: 'TABLES_OF_SEVERAL_SITES',
      values: { prefixes: prefixes.slice(0, 5).join(', ') }
    })
  if (!/^\w{0,40}$/.test(prefix)) throw new AppError('ARCHIVE_INVALID', { code: 'TABLE_PREFIX', values: { prefix } })
  return prefix
}

const optionColumns = ['option_name', 'option_value']
