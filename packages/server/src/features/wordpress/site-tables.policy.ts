import { AppError } from '../../errors.ts'

/**
 * The prefix of a site's tables: that of the one table of options, or of several the one that the site's own configuration names. Throws
 * ARCHIVE_INVALID where there is no such, and where the dump is of a network of sites, whose addresses lie in many places.
 */
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
  if (prefix === undefined)
    throw new AppError(
      'ARCHIVE_INVALID',
      'The dump has no tables of WordPress: options, posts and users with one prefix'
    )
  if (names.has(`${prefix}blogs`) || names.has(`${prefix}sitemeta`))
    throw new AppError('ARCHIVE_INVALID', 'The dump is of a network of sites (multisite); export the one site alone')
  if (known === undefined && prefixes.length > 1)
    throw new AppError(
      'ARCHIVE_INVALID',
      `The dump has the tables of several sites (${prefixes.slice(0, 5).join(', ')}), and no wp-config.php says which one is meant`
    )
  if (!/^\w{0,40}$/.test(prefix))
    throw new AppError(
      'ARCHIVE_INVALID',
      `The prefix of the tables has other characters than letters, digits and _: ${prefix}`
    )
  return prefix
}

const optionColumns = ['option_name', 'option_value']
