import type { DatabaseAccount, DatabaseAddress } from '../database-server/database-server.ts'

/** Option file for the MariaDB clients: command-line arguments would be visible to all users. */
export function renderOptionFile(
  { username, password }: Pick<DatabaseAccount, 'username' | 'password'>,
  { host, port }: DatabaseAddress
): string {
  // Force TCP: for `localhost` the clients would use a socket.
  const values = { host, port: String(port), protocol: 'TCP', user: username, password }
  return `[client]\n${Object.entries(values)
    .map(([name, value]) => `${name} = ${optionValue(value)}\n`)
    .join('')}`
}

/** Double-quoted with backslash escapes: https://mariadb.com/kb/en/configuring-mariadb-with-option-files/. */
function optionValue(text: string): string {
  if (/[\0\r\n]/.test(text)) throw new TypeError('an option has no line breaks')
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
