import type { DatabaseAccount, DatabaseAddress } from '../database-server/database-server.ts'

/** What the engine's clients read instead of arguments, which everybody on the machine could see. */
export function renderOptionFile(
  { username, password }: Pick<DatabaseAccount, 'username' | 'password'>,
  { host, port }: DatabaseAddress
): string {
  // Over TCP always: for `localhost` the clients would look for a socket of their own choice.
  const values = { host, port: String(port), protocol: 'TCP', user: username, password }
  return `[client]\n${Object.entries(values)
    .map(([name, value]) => `${name} = ${optionValue(value)}\n`)
    .join('')}`
}

/** https://mariadb.com/kb/en/configuring-mariadb-with-option-files/: in double quotes, with backslashes for what would end or change it. */
function optionValue(text: string): string {
  if (/[\0\r\n]/.test(text)) throw new TypeError('an option has no line breaks')
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
