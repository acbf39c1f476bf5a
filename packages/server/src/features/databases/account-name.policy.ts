const separators = 'u__'.length

/**
 * `u_<dbname>_<hex>`, cut to what the engine allows: of the database's name, never of the random part, so that
 * long names with the same beginning do not meet.
 */
export function accountName(database: string, hex: string, maxLength: number): string {
  return `u_${database.slice(0, maxLength - separators - hex.length)}_${hex}`
}

const maxDatabaseName = 63

/** The name of the database that a site gets for itself; with a suffix where the plain one is taken. */
export function siteDatabaseName(project: string, suffix?: string): string {
  const end = suffix === undefined ? '' : `_${suffix}`
  return `wp_${project.replaceAll('-', '_')}`.slice(0, maxDatabaseName - end.length) + end
}
