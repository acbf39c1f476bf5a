import type { DatabaseType } from '@panel/contract/databases'

// Adminer's own parameters. A server that is left empty is the panel's engine of that kind.
const drivers: Record<DatabaseType, { server: string; extra: Record<string, string> }> = {
  POSTGRESQL: { server: 'pgsql', extra: { ns: 'public' } },
  MYSQL: { server: 'server', extra: {} }
}

/** The link that opens the web administration at a database, with the account filled in and the password asked for. */
export function adminUrl(baseUrl: string, type: DatabaseType, database: string, username: string): string {
  const { server, extra } = drivers[type]
  return `${baseUrl}/adminer/?${new URLSearchParams({ [server]: '', username, db: database, ...extra }).toString()}`
}
