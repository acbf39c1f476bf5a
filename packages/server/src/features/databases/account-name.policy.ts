const separators = 'u__'.length

/** Truncates the database name, not the random part, so that long names do not collide. */
export function accountName(database: string, hex: string, maxLength: number): string {
  return `u_${database.slice(0, maxLength - separators - hex.length)}_${hex}`
}

const maxDatabaseName = 63

export function siteDatabaseName(project: string, suffix?: string): string {
  const end = suffix === undefined ? '' : `_${suffix}`
  return `wp_${project.replaceAll('-', '_')}`.slice(0, maxDatabaseName - end.length) + end
}
