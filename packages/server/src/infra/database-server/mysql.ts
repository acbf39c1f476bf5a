import type { DatabaseAccount, DatabaseServer } from './database-server.ts'
import { connectionLimit, type DatabaseServerOptions, defaultTimeouts } from './database-server-options.ts'
import { addressesOf } from './engine-address.ts'
import { databaseRefused, nameExists, unavailable } from './engine-problem.ts'
import { keepMysqlConnections } from './mysql-connections.ts'
import { grantPattern, quoteName } from './mysql-names.ts'
import { findDatabase, isAccountThere, isMariaDb, isUsed, markOf, readVersion } from './mysql-state.ts'
import { type Query, serverError, withMysql } from './mysql-session.ts'

const databaseExists = 1007
const noSuchThread = 1094
const cannotCreateUser = 1396
const limits = `WITH MAX_USER_CONNECTIONS ${connectionLimit}`

export function createMysqlServer(options: DatabaseServerOptions): DatabaseServer {
  const { adminUrl, internalHost, queryTimeoutMs, changeTimeoutMs } = { ...defaultTimeouts, ...options }
  const { server, host } = addressesOf(adminUrl, 3306)
  const withConnection = keepMysqlConnections({ uri: adminUrl })
  const session = async <T>(limitMs: number, work: (query: Query) => Promise<T>) => {
    try {
      return await withConnection(limitMs, work)
    } catch (error) {
      throw unavailable('MySQL', error)
    }
  }
  const change = <T>(work: (query: Query) => Promise<T>) => session(changeTimeoutMs, work)

  return {
    maxUsernameLength: 32,
    ping: () => session(queryTimeoutMs, readVersion),
    addresses: async (gateway) => ({ internal: { host: await internalHost(gateway), port: host.port }, host }),
    provision: (account) => change((query) => provision(query, account)),
    setPassword: ({ username, password }) =>
      change(async (query) => void (await query(`ALTER USER ?@'%' IDENTIFIED BY ?`, [username, password]))),
    limitAccounts: (usernames) => change((query) => limitAccounts(query, usernames)),
    drop: (account, options) => change((query) => drop(query, account, options)),
    async test({ database, username, password }) {
      const startedAt = performance.now()
      try {
        const login = { ...server, database, user: username, password }
        const serverVersion = await withMysql(login, queryTimeoutMs, readVersion)
        return { latencyMs: Math.round((performance.now() - startedAt) * 10) / 10, serverVersion }
      } catch (error) {
        const isRefusal = serverError(error)?.sqlState.startsWith('08') === false
        throw isRefusal ? databaseRefused(error) : unavailable('MySQL', error)
      }
    },
    async sizes(databases) {
      if (databases.length === 0) return new Map()
      // A constant name makes the server open only that folder; `IN` would list all of them.
      const one = `SELECT schema_name AS name, (SELECT coalesce(sum(data_length + index_length), 0)
        FROM information_schema.tables WHERE table_schema = ?) AS bytes
        FROM information_schema.schemata WHERE schema_name = ?`
      const sql = databases.map(() => one).join(' UNION ALL ')
      const values = databases.flatMap((name) => [name, name])
      const rows = await session(queryTimeoutMs, (query) => query<{ name: string; bytes: string }>(sql, values))
      return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    },
    async countConnections() {
      const sql = "SHOW GLOBAL STATUS LIKE 'Threads_connected'"
      const [row] = await session(queryTimeoutMs, (query) => query<{ Value: string }>(sql))
      return Math.max(0, Number(row?.Value ?? 0) - 1)
    }
  }
}

async function provision(query: Query, account: DatabaseAccount): Promise<void> {
  const { database, username, password } = account
  // Check first on MySQL: there, once the user exists, an empty database counts as theirs.
  const found = (await isMariaDb(query)) ? undefined : await findDatabase(query, account)
  if (found?.isThere && !found.isOurs) throw nameExists(database)
  await createAccount(query, username, password)
  if (!found?.isThere) await create(query, account)
  await query(`GRANT ALL PRIVILEGES ON ${quoteName(grantPattern(database))}.* TO ?@'%'`, [username])
}

async function createAccount(query: Query, username: string, password: string): Promise<void> {
  try {
    await query(`CREATE USER ?@'%' IDENTIFIED BY ? ${limits}`, [username, password])
  } catch (error) {
    if (serverError(error)?.errno !== cannotCreateUser) throw error
    await query(`ALTER USER ?@'%' IDENTIFIED BY ? ${limits}`, [username, password])
  }
}

async function limitAccounts(query: Query, usernames: readonly string[]): Promise<void> {
  if (usernames.length === 0) return
  const sql = `SELECT user AS username FROM mysql.user WHERE host = '%' AND user IN (?) AND max_user_connections <> ?`
  for (const { username } of await query<{ username: string }>(sql, [usernames, connectionLimit]))
    await query(`ALTER USER ?@'%' ${limits}`, [username])
}

async function create(query: Query, { database, username }: DatabaseAccount): Promise<void> {
  const hasComments = await isMariaDb(query)
  const how = `CHARACTER SET utf8mb4${hasComments ? ' COMMENT = ?' : ''}`
  try {
    await query(`CREATE DATABASE ${quoteName(database)} ${how}`, hasComments ? [markOf(username)] : [])
  } catch (error) {
    if (serverError(error)?.errno !== databaseExists) throw error
    if (hasComments && (await findDatabase(query, { database, username })).isOurs) return
    // Another client was faster. Drop our user: on MySQL it would make the database look like ours.
    await query(`DROP USER ?@'%'`, [username])
    throw nameExists(database)
  }
}

async function drop(
  query: Query,
  account: Pick<DatabaseAccount, 'database' | 'username'>,
  { onlyIfEmpty = false }: { onlyIfEmpty?: boolean } = {}
): Promise<void> {
  const { database, username } = account
  const { isThere, isOurs } = await findDatabase(query, account)
  const goes = isThere && isOurs
  if (goes && onlyIfEmpty && (await isUsed(query, database))) return
  if (await isAccountThere(query, username)) {
    // Lock first, so that a reconnecting client does not get in between.
    await query(`ALTER USER ?@'%' ACCOUNT LOCK`, [username])
    await endConnections(query, username)
  }
  if (goes) await query(`DROP DATABASE IF EXISTS ${quoteName(database)}`)
  await query(`DROP USER IF EXISTS ?@'%'`, [username])
}

async function endConnections(query: Query, username: string): Promise<void> {
  const sql = 'SELECT id FROM information_schema.processlist WHERE user = ?'
  for (const { id } of await query<{ id: number }>(sql, [username])) {
    await query('KILL CONNECTION ?', [Number(id)]).catch((error: unknown) => {
      if (serverError(error)?.errno !== noSuchThread) throw error // Already closed.
    })
  }
}
