import type { DatabaseType } from '@panel/contract/databases'

// Adminer's URL parameters. An empty server selects the panel's engine of that type.
const drivers: Record<DatabaseType, { server: string; extra: Record<string, string> }> = {
  POSTGRESQL: { server: 'pgsql', extra: { ns: 'public' } },
  MYSQL: { server: 'server', extra: {} }
}

export function adminUrl(baseUrl: string, type: DatabaseType, database: string, username: string): string {
  const { server, extra } = drivers[type]
  return `${baseUrl}/adminer/?${new URLSearchParams({ [server]: '', username, db: database, ...extra }).toString()}`
}
