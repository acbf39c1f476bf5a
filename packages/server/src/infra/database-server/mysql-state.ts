import type { DatabaseAccount } from './database-server.ts'
import { grantPattern } from './mysql-names.ts'
import type { Query } from './mysql-session.ts'

export async function readVersion(query: Query): Promise<string> {
  const [row] = await query<{ version: string }>('SELECT version() AS version')
  const [number] = row!.version.split('-')
  const isMaria = /mariadb/i.test(row!.version)
  mariaDbs.set(query, isMaria)
  return `${isMaria ? 'MariaDB' : 'MySQL'} ${number}`
}

const mariaDbs = new WeakMap<Query, boolean>()

export async function isMariaDb(query: Query): Promise<boolean> {
  if (!mariaDbs.has(query)) await readVersion(query)
  return mariaDbs.get(query)!
}

export const markOf = (username: string): string => `made by the panel for ${username}`

/**
 * Whether the database exists and belongs to the user. MySQL databases have no owner: the grant for exactly this name,
 * which is given last, marks it as the user's. An interrupted creation is recognised by the comment, which MariaDB sets
 * in the same statement. MySQL has no comments: there an empty database belongs to the user if the user exists, because
 * the user is created first and only if the name is free.
 */
export async function findDatabase(
  query: Query,
  { database, username }: Pick<DatabaseAccount, 'database' | 'username'>
): Promise<{ isThere: boolean; isOurs: boolean }> {
  const [row] = await query('SELECT * FROM information_schema.schemata WHERE schema_name = ?', [database])
  if (!row) return { isThere: false, isOurs: false }
  if (await hasGrant(query, database, username)) return { isThere: true, isOurs: true }
  const comment = Object.entries(row).find(([column]) => column.toLowerCase() === 'schema_comment')
  const isOurs = comment
    ? comment[1] === markOf(username)
    : (await isAccountThere(query, username)) && !(await isUsed(query, database))
  return { isThere: true, isOurs }
}

export async function isAccountThere(query: Query, username: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM information_schema.user_privileges WHERE grantee = ? LIMIT 1'
  return (await query(sql, [granteeOf(username)])).length > 0
}

export async function isUsed(query: Query, database: string): Promise<boolean> {
  const sql = `SELECT 1 FROM information_schema.tables WHERE table_schema = ?
    UNION ALL SELECT 1 FROM information_schema.routines WHERE routine_schema = ?
    UNION ALL SELECT 1 FROM information_schema.events WHERE event_schema = ? LIMIT 1`
  return (await query(sql, [database, database, database])).length > 0
}

async function hasGrant(query: Query, database: string, username: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM information_schema.schema_privileges WHERE grantee = ? AND table_schema = ? LIMIT 1'
  return (await query(sql, [granteeOf(username), grantPattern(database)])).length > 0
}

const granteeOf = (username: string): string => `'${username}'@'%'`
