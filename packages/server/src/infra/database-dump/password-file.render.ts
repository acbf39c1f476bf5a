import type { DatabaseAccount, DatabaseAddress } from '../database-server/database-server.ts'

/** Password file of PostgreSQL's clients: https://www.postgresql.org/docs/current/libpq-pgpass.html. */
export function renderPasswordFile(
  { database, username, password }: DatabaseAccount,
  { host, port }: DatabaseAddress
): string {
  const fields = [host, String(port), database, username, password]
  if (fields.some((field) => /[\0\r\n]/.test(field))) throw new TypeError('a password file has no line breaks')
  return `${fields.map((field) => field.replace(/[\\:]/g, '\\$&')).join(':')}\n`
}
